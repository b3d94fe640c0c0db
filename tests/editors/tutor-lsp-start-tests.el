;;; tutor-lsp-start-tests.el --- From the first list to an exercise  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, one test per Emacs, in a home of its own.

;;; Code:

(require 'tutor-lsp-test-support)

(ert-deftest tests-the-first-list ()
  (tutor-lsp-global-mode 1)
  (tests-choosing ("Browse all topics" "Python" "Functions and return values")
    (tutor-lsp-start))
  (should (equal '("Tutor" "Languages" "Python")
                 (mapcar (lambda (prompt) (car (split-string prompt " (default")))
                         (reverse tests-prompts))))
  (should (string-match-p "^○○○ [^ ].*  D1 · [0-9]+ min" (caar tests-asked)))
  (should (string-match-p "^Your own topic +in your own words; " (car (last (nth 2 tests-asked)))))
  (tests-until (string-suffix-p "/movie.py" (or buffer-file-name "")))
  ;; The same exercise once more, in a folder of its own.
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours * 60 + minutes")
  (tutor-lsp-check)
  (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
  (let ((first (plist-get tutor-lsp--session :sessionId)))
    (tutor-lsp--ask "tutor.start" '(:language "python" :node "python-functions" :fresh t
                                              :backend "library"))
    (tests-until (not (equal first (plist-get tutor-lsp--session :sessionId)))))
  (tests-choosing ("movie-night-2") (tutor-lsp-sessions))
  (should (string-match-p "^Movie night (python · .* · in use · .*-2)\\'" (caar tests-asked)))
  (should (string-match-p "^Movie night (python · 1 of 4 units pass · " (cadar tests-asked))))

(ert-deftest tests-a-topic-of-ones-own ()
  (tutor-lsp-global-mode 1)
  (let ((asked nil))
    (cl-letf (((symbol-function 'read-string) (lambda (&rest _) " bees "))
              ((symbol-function 'tutor-lsp--ask) (lambda (&rest all) (setq asked all))))
      (tests-choosing ("Rust") (tutor-lsp-topic))
      (should (equal '("tutor.start" (:language "rust" :topic "bees")) asked))
      (let ((tutor-lsp-language "python")) (tutor-lsp-topic))
      (should (equal '("tutor.start" (:language "python" :topic "bees")) asked)))))

(ert-deftest tests-refusals-say-what-to-do ()
  (tutor-lsp-global-mode 1)
  (tutor-lsp-check)
  (tests-until (tests-said-p "M-x tutor-lsp-start"))
  (tutor-lsp--ask "tutor.start" '(:language "python" :node "no-such-topic"))
  (tests-until (tests-said-p "There is no topic no-such-topic"))
  (should (tests-said-p "no-such-topic. M-x tutor-lsp-curriculum lists them all"))
  (tutor-lsp--ask "tutor.resume" '(:session "none"))
  (tests-until (tests-said-p "There is no session none. M-x tutor-lsp-sessions lists them all."))
  (should-error (tutor-lsp--unit "Put back") :type 'user-error)
  (jsonrpc-shutdown tutor-lsp--alone)
  (let ((tutor-lsp-command '("no-such-program")))
    (should (string-match-p "pipx install [^,]*/, or set" (cadr (should-error (tutor-lsp-status)))))))

(defun tests-folders ()
  "Exercises that there are."
  (let ((folder (expand-file-name "exercises" (getenv "TUTOR_LSP_HOME"))))
    (and (file-directory-p folder) (directory-files folder nil "^[a-z]"))))

(ert-deftest tests-the-plan-without-a-file ()
  (tutor-lsp-global-mode 1)
  (tests-choosing ("Cancel")
    (tutor-lsp--ask "tutor.start" tests-bees)
    (tests-until (tests-said-p "The plan was declined; nothing was made.")))
  (should (string-search "count_bees: len of a list" (car tests-prompts)))
  (should (equal '("Make it" "Change…" "Cancel") (car tests-asked)))
  (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) (signal 'quit nil))))
    (tutor-lsp--ask "tutor.start" tests-bees)
    ;; A question that is left means that it is made.
    (tests-until (string-search "starter" (tests-work))))
  (tutor-lsp-cancel)
  (tests-until (tests-said-p "was cancelled"))
  (should-not (tests-folders))
  (let ((server tutor-lsp--alone))
    (tests-open)
    (tests-until (process-get (jsonrpc--process server) 'jsonrpc-sentinel-cleanup-started))
    (should-not (tests-said-p "Server exited"))
    (should (= 1 (length tutor-lsp--servers)))))

(ert-deftest tests-a-change-to-the-plan-and-an-exercise-for-later ()
  (tutor-lsp-global-mode 1)
  (cl-letf (((symbol-function 'read-string)
             (lambda (prompt &rest _) (push prompt tests-prompts) "with bumblebees")))
    (tests-choosing ("Change…")
      (tutor-lsp--ask "tutor.start" tests-bees)
      (tests-until (string-search "starter" (tests-work)))))
  (should (member "What should be different? " tests-prompts))
  (should (tests-said-p "with bumblebees"))
  ;; As it is now, to be made or not.
  (should (equal '("Make it" "Cancel") (car tests-asked)))
  (tutor-lsp-cancel)
  (tests-until (tests-said-p "was cancelled"))
  ;; After a long wait nothing jumps into the way.
  (let ((here (current-buffer)) (tutor-lsp--opens-itself-s 0))
    (tutor-lsp-start "python")
    (tests-until (tests-said-p "M-x tutor-lsp-show opens it"))
    (should (eq here (current-buffer))))
  (tutor-lsp-show)
  (should (looking-at "raise NotImplementedError(\"to_minutes\")")))

(ert-deftest tests-cancel-in-mid-set-up ()
  (tests-open)
  (let ((session (plist-get tutor-lsp--session :sessionId)))
    (tests-choosing ("Make it")
      (tutor-lsp--ask "tutor.start" tests-bees)
      (tests-until (string-search "starter" (tests-work))))
    (should (string-search "count_bees: len of a list" (car tests-prompts)))
    (tutor-lsp-cancel)
    (tests-until (tests-said-p "was cancelled"))
    (should (equal session (plist-get tutor-lsp--session :sessionId)))
    (should (= 1 (length (tests-folders))))))

(provide 'tutor-lsp-start-tests)
;;; tutor-lsp-start-tests.el ends here
