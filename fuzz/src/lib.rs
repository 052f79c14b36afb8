//! What the fuzz targets try: libFuzzer feeds it with anything it finds, `make test` with damaged copies of real files.

pub mod readers;
