//! probe
use prodmax_pathology::granularity::*;
use prodmax_pathology::*;
#[test]
#[ignore = "probe"]
fn probe() {
    for b in 2..=10u32 {
        let ind =
            Model { b, d_max: 6, values: Values::Independent, steps: Steps::Uniform, ..Model::default() };
        print!("b={b} ind: ");
        for c in Criterion::ALL {
            let mut last = 0;
            let mut pattern = String::new();
            for g in 2..=160 {
                let grains = Some(Grains { count: g, range: 3f64.sqrt() });
                let h = c.holds(&grained(&Model { grains, ..ind.clone() }).unwrap());
                if h {
                    last = g;
                }
                if g < 40 {
                    pattern.push(if h { 'P' } else { '.' });
                }
            }
            print!(" {} {pattern}", last + 1);
        }
        println!();
    }
    for b in [2, 3, 4, 5, 7, 10u32] {
        let dep = Model { b, d_max: 6, ..Model::default() };
        for range in [1.0, 2.0, 3.0, 4.0] {
            print!("b={b} dep R={range} leaf sd: ");
            for c in Criterion::ALL {
                let mut last = 0;
                let mut pattern = String::new();
                for g in 2..=24 {
                    let grains = Some(Grains { count: g, range: range * 6f64.sqrt() });
                    let h = c.holds(&grained(&Model { grains, ..dep.clone() }).unwrap());
                    if h {
                        last = g;
                    }
                    pattern.push(if h { 'P' } else { '.' });
                }
                print!(" {} {pattern}", last + 1);
            }
            println!();
        }
    }
}
