from tutor_lsp.languages.common.programs.run import AskedRun as AskedRun
