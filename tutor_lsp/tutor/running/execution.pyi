from tutor_lsp.tutor.running.execute import executed_runs as executed_runs
