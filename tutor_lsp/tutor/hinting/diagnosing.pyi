from tutor_lsp.tutor.hinting.diagnosis.found import learn as learn
