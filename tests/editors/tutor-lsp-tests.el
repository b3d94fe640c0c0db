;;; tutor-lsp-tests.el --- Whole sessions with the real server  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, one test per Emacs, in a home of its own.
;; TUTOR_TEST_SERVER holds the server's command, TUTOR_TEST_SOLUTION a file.

;;; Code:

(require 'ert)
(require 'tutor-lsp)

(defvar tests-limit 40)
(defvar tests-said nil "Messages, newest first.")
(defvar tests-asked nil "What was offered as it is shown, newest first.")
(defvar tests-prompts nil "What was asked with them, newest first.")

(setq tutor-lsp-command (split-string (getenv "TUTOR_TEST_SERVER") "\n")
      make-backup-files nil
      tutor-lsp--opens-itself-s 1000
      native-comp-jit-compilation nil
      native-comp-enable-subr-trampolines nil
      eglot-sync-connect nil
      eglot-report-progress nil
      eglot-events-buffer-config '(:size 0 :format short))

(advice-add 'message :before
            (lambda (format &rest arguments)
              (when (and format (not inhibit-message))
                (push (apply #'format-message format arguments) tests-said))))

(defmacro tests-until (condition)
  "Wait until CONDITION holds."
  `(let ((deadline (+ (float-time) tests-limit)))
     ;; What the command loop does: the window's buffer is the current one.
     (while (progn (set-buffer (window-buffer)) (not ,condition))
       (when (> (float-time) deadline)
         (ert-fail (list "not in time" ',condition (seq-take tests-said 20)
                         (buffer-name) (ignore-errors (tests-diagnostics)))))
       (run-hooks 'post-command-hook)
       (accept-process-output nil 0.02))))

(defun tests-said-p (text)
  "Whether a message held TEXT."
  (seq-some (lambda (said) (string-search text said)) tests-said))

(defun tests-shown (table)
  "The candidates of TABLE with what is shown before and behind them."
  (let ((beside (completion-metadata-get (completion-metadata "" table nil) 'affixation-function))
        (titles (all-completions "" table)))
    (if (not beside) titles
      (mapcar (pcase-lambda (`(,title ,mark ,note)) (concat mark title note))
              (funcall beside titles)))))

(defmacro tests-choosing (answers &rest body)
  "Run BODY, choosing the first label that holds the next of ANSWERS."
  (declare (indent 1))
  `(let ((answers (list ,@answers)))
     (cl-letf (((symbol-function 'completing-read)
                (lambda (prompt table &rest _)
                  (let ((labels (all-completions "" table)) (wanted (pop answers)))
                    (push (tests-shown table) tests-asked)
                    (push prompt tests-prompts)
                    (or (seq-find (lambda (label) (string-search wanted label)) labels)
                        (ert-fail (list "not offered" wanted labels)))))))
       ,@body)))

(defun tests-diagnostics ()
  "Marked text, type and message of the tutor's diagnostics here."
  (mapcar (lambda (d) (list (buffer-substring-no-properties (flymake-diagnostic-beg d)
                                                            (flymake-diagnostic-end d))
                            (alist-get 'eglot-lsp-diag (flymake-diagnostic-data d))
                            (flymake-diagnostic-text d)))
          eglot--diagnostics))

(defun tests-marked (code)
  "Texts that have a diagnostic of CODE."
  (cl-loop for (text spec _) in (tests-diagnostics)
           when (equal (plist-get spec :code) code) collect text))

(defun tests-open ()
  "Start the first Python exercise and wait for its diagnostics."
  (tutor-lsp-global-mode 1)
  (setq flymake-no-changes-timeout nil)
  (tests-choosing ("Functions and return values")
    (tutor-lsp-start))
  (tests-until (string-suffix-p "/movie.py" (or buffer-file-name "")))
  (tests-until (and (eglot-managed-p) (= 4 (length (tests-marked "todo"))))))

(defun tests-put (old new)
  "Replace OLD with NEW in the current buffer."
  (save-excursion
    (goto-char (point-min))
    (search-forward old)
    (replace-match new t t)))

(defun tests-tutor-text ()
  "What the buffer *tutor* says."
  (if-let* ((buffer (get-buffer "*tutor*"))) (with-current-buffer buffer (buffer-string)) ""))

(ert-deftest tests-a-session ()
  (tests-open)
  (should (get-buffer-window "LESSON.md"))
  (should (looking-at "def to_minutes"))
  (tests-until (string-search "tutor 0/4 ▶ to_minutes" (tutor-lsp-mode-line)))

  ;; A code action shows its hint.
  (tests-choosing ("Hint for to_minutes")
    ;; Not a mouse: else a menu would pop up.
    (let ((last-nonmenu-event ?a)) (call-interactively #'eglot-code-actions)))
  (tests-until (string-search "# Hint 1 · ex-1" (tests-tutor-text)))
  (tutor-lsp-hint)
  (tests-until (string-search "# Hint 2 · ex-1" (tests-tutor-text)))

  ;; Save: a failure on the stub, then none.
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours + minutes")
  (save-buffer)
  (tests-until (equal '("to_minutes") (tests-marked "test-failed")))
  (should (string-search "expected" (nth 2 (car (tests-diagnostics)))))
  (tests-put "return hours + minutes" "return hours * 60 + minutes")
  (tutor-lsp-check)
  (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
  (tests-until (and (null (tests-marked "test-failed")) (= 3 (length (tests-marked "todo")))))
  (tests-until (string-search "tutor 1/4 ▶ ends_at" (tutor-lsp-mode-line)))

  ;; Attempt, review, next.
  (erase-buffer)
  (insert-file-contents (getenv "TUTOR_TEST_SOLUTION"))
  (tutor-lsp-attempt)
  (tests-until (string-search "# Passed · " (tests-tutor-text)))
  (should (string-search "Mastery of python-functions: 0 → 1 of 3" (tests-tutor-text)))
  (tests-until (null (tests-diagnostics)))
  (tutor-lsp-next)
  (tests-until (tests-said-p "“Movie night”: 4 of 4 units pass"))
  (tests-until (not (string-suffix-p "/movie.py" (or buffer-file-name "/movie.py"))))
  (tests-until (and (eglot-managed-p) (tests-marked "todo"))))

(ert-deftest tests-columns-and-navigation ()
  (tests-open)
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return 'nä𝄞' )")
  (save-buffer)
  (tests-until (equal '(")") (tests-marked "build-error")))
  (goto-char (point-min))
  (search-forward "LESSON.md § ")
  (let ((lesson (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (should (= 1 (length lesson)))
    (should (string-suffix-p "/LESSON.md"
                             (xref-location-group (xref-item-location (car lesson))))))
  (switch-to-buffer "LESSON.md")
  (should (eq major-mode 'tutor-lsp-lesson-mode))
  (tests-until (eglot-managed-p))
  (goto-char (point-min))
  (search-forward "[to_minutes](src")
  (let ((stub (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
    (should (string-suffix-p "/movie.py" (xref-location-group (xref-item-location (car stub)))))))

(ert-deftest tests-the-other-commands ()
  (tests-open)
  (let ((given (buffer-string)))
    (tests-put "raise NotImplementedError(\"to_minutes\")" "return 1")
    (tutor-lsp-reset '(:unit "ex-1"))
    (tests-until (tests-said-p "Put back to the stubs: src/exercise/movie.py."))
    (tests-until (and (equal given (buffer-string)) (not (buffer-modified-p)))))
  (tests-until
   (tests-choosing ("to_minutes")
     (should (equal '(:unit "ex-1") (tutor-lsp--unit "Put back")))
     (string-match-p "^○ to_minutes +ex-1 · to do$" (caar tests-asked))))
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return 1")
  (tests-put "raise NotImplementedError(\"ends_at\")" "return 2")
  (tests-choosing ("all") (call-interactively #'tutor-lsp-reset))
  (tests-until (= 2 (seq-count (lambda (said) (string-prefix-p "Put back to the stubs" said))
                               tests-said)))
  (should (string-search "NotImplementedError(\"ends_at\")" (buffer-string)))
  (let ((current-prefix-arg '(4))) (call-interactively #'tutor-lsp-reset))
  (tests-until (tests-said-p "Yours again: src/exercise/movie.py."))
  (should (string-search "return 2" (buffer-string)))
  (tutor-lsp-reset nil)
  (tests-until (string-search "NotImplementedError(\"ends_at\")" (buffer-string)))
  (cl-letf (((symbol-function 'y-or-n-p) (lambda (_) t)))
    (tutor-lsp-reveal '(:unit "ex-1"))
    (tests-until (string-search "hours * 60 + minutes" (tests-tutor-text))))
  (tutor-lsp-status)
  (tests-until (string-search "▶ ○ ex-1 · to_minutes · to do" (tests-tutor-text)))
  (tutor-lsp-open "test")
  (tests-until (string-suffix-p "/test_movie.py" (buffer-file-name)))
  (should (looking-at "def test_to_minutes"))
  (with-current-buffer (find-file-noselect (expand-file-name ".tutor/exercise.json"
                                                             (tutor-lsp-root)))
    (tutor-lsp-check))
  (tests-until (tests-said-p "Not yet: 0 of 11 tests pass."))
  (tutor-lsp-show)
  (should (looking-at "def to_minutes"))
  (tutor-lsp-review)
  (tests-until (tests-said-p "There is no review yet"))
  (tutor-lsp-cancel)
  (tests-until (or (tests-said-p "Nothing is going on.") (tests-said-p "Stopped.")))
  (tutor-lsp-doctor)
  (tests-until (string-search "pytest" (tests-tutor-text)))
  (tests-choosing ("Strings") (tutor-lsp-claim))
  (tests-until (tests-said-p ": known"))
  (tests-choosing ("Movie night") (tutor-lsp-sessions))
  (tests-until (string-suffix-p "/movie.py" (buffer-file-name)))
  (tutor-lsp-end)
  (tests-until (string-search "“Movie night”: 0 of 4 units pass" (tests-tutor-text))))

(ert-deftest tests-the-first-list ()
  (tutor-lsp-global-mode 1)
  (let* ((table (tutor-lsp-pick-table (tutor-lsp-pick--first-list)))
         (shown (tests-shown table)))
    (should (string-match-p "^Recommended: .*  python · [0-9]+ min" (string-join shown "\n")))
    (should (equal (last shown 2) '("Browse all topics …" "Your own topic …"))))
  (tests-choosing ("python" "Functions and return values")
    (tutor-lsp-curriculum))
  (should (string-match-p "○ [^ ].*  0 of 3" (caar tests-asked)))
  (tests-until (string-suffix-p "/movie.py" (or buffer-file-name "")))
  (should (equal "Continue: Movie night" (caar (tutor-lsp-pick--first-list))))
  ;; The same exercise once more, in a folder of its own.
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours * 60 + minutes")
  (tutor-lsp-check)
  (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
  (let ((first (plist-get tutor-lsp--session :sessionId)))
    (tutor-lsp--ask "tutor.start" '(:language "python" :node "python-functions" :fresh t
                                              :backend "library"))
    (tests-until (not (equal first (plist-get tutor-lsp--session :sessionId)))))
  (tests-choosing ("movie-night-2") (tutor-lsp-sessions))
  (should (string-match-p "^▶ Movie night (.*-2)  +python · 0 of 4 units pass · proven · .*-2$"
                          (caar tests-asked)))
  (should (string-match-p "^  Movie night (.*night)  +python · 1 of 4 units pass · .*night$"
                          (cadar tests-asked))))

(ert-deftest tests-refusals-say-what-to-do ()
  (tutor-lsp-global-mode 1)
  (tutor-lsp-check)
  (tests-until (tests-said-p "No exercise is open. Start one first (M-x tutor-lsp-start)."))
  (tutor-lsp--ask "tutor.start" '(:language "python" :node "no-such-topic"))
  (tests-until (tests-said-p "There is no topic no-such-topic"))
  (should (tests-said-p "no-such-topic. M-x tutor-lsp-curriculum lists all"))
  (tutor-lsp--ask "tutor.resume" '(:session "none"))
  (tests-until (tests-said-p "There is no session none. M-x tutor-lsp-sessions lists all."))
  (should-error (tutor-lsp--unit "Put back"))
  (jsonrpc-shutdown tutor-lsp--alone)
  (let ((tutor-lsp-command '("no-such-program")))
    (should (string-search "pipx install tutor-lsp" (cadr (should-error (tutor-lsp-status)))))))

(defconst tests-bees '(:language "python" :backend "scripted" :topic "bees"))

(defun tests-folders ()
  "Exercises that there are."
  (let ((folder (expand-file-name "python" (getenv "TUTOR_LSP_HOME"))))
    (and (file-directory-p folder) (directory-files folder nil "^[a-z]"))))

(defun tests-work ()
  "What the server without files says of the work that goes on."
  (mapconcat (lambda (job) (plist-get job :message))
             (plist-get (tutor-lsp-execute-now "tutor.status") :jobs) " "))

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
    (tests-until (tests-said-p "Ready: Movie night.  M-x tutor-lsp-show opens it"))
    (should (eq here (current-buffer))))
  (tutor-lsp-show)
  (should (looking-at "def to_minutes")))

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

(ert-deftest tests-server-restart ()
  (tests-open)
  (let ((server (eglot-current-server)))
    (delete-process (jsonrpc--process server))
    (tests-until (not (jsonrpc-running-p server))))
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours * 60 + minutes")
  (tutor-lsp-check)
  (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
  (tests-until (= 3 (length (tests-marked "todo")))))

(ert-deftest tests-beside-another-server ()
  (skip-unless (getenv "TUTOR_TEST_PYRIGHT"))
  (setq tutor-lsp-multiplexer (split-string (getenv "TUTOR_TEST_RASS") "\n")
        tutor-lsp-beside `(((python-mode python-ts-mode)
                            ,@(split-string (getenv "TUTOR_TEST_PYRIGHT") "\n") "--stdio")))
  (tests-open)
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours + minutez")
  (save-buffer)
  (tests-until (seq-some (lambda (d) (equal "Pyright" (plist-get (nth 1 d) :source)))
                         (tests-diagnostics)))
  (tests-until (tests-marked "test-failed"))
  (tutor-lsp-hint)
  (tests-until (string-search "# Hint 1 · ex-1" (tests-tutor-text)))
  (tests-choosing ("Cancel")
    (tutor-lsp--ask "tutor.start" tests-bees)
    (tests-until (tests-said-p "The plan was declined"))))

(defun tests-lsp-mode-sources (code)
  "Sources of lsp-mode's diagnostics, those of CODE alone where it is given."
  (cl-loop for found being the hash-values of (lsp-diagnostics)
           append (cl-loop for item in found
                           when (or (null code) (equal code (lsp-get item :code)))
                           collect (lsp-get item :source))))

(ert-deftest tests-beside-another-server-in-lsp-mode ()
  (skip-unless (getenv "TUTOR_TEST_LSP_MODE"))
  (dolist (folder (split-string (getenv "TUTOR_TEST_LSP_MODE") "\n" t))
    (push folder load-path))
  (require 'lsp-mode)
  (defvar lsp-auto-guess-root)
  (defvar lsp-enable-snippet)
  (setq lsp-auto-guess-root t lsp-enable-snippet nil)
  (with-temp-buffer
    (insert (getenv "TUTOR_TEST_SETUP"))
    (eval-buffer))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection
                                     (list (getenv "TUTOR_TEST_PYRIGHT") "--stdio"))
                    :major-modes '(python-mode) :server-id 'another))
  (add-hook 'python-mode-hook #'lsp)
  (tests-choosing ("Functions and return values")
    (tutor-lsp-start))
  (tests-until (string-suffix-p "/movie.py" (or buffer-file-name "")))
  (tests-until (= 4 (length (tests-lsp-mode-sources "todo"))))
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours + minutez")
  (save-buffer)
  (tests-until (and (tests-lsp-mode-sources "test-failed")
                    (member "Pyright" (tests-lsp-mode-sources nil))))
  (should-not (eglot-current-server))
  (goto-char (point-min))
  (search-forward "def to_minutes")
  (should (seq-some (lambda (action) (equal "Hint for to_minutes" (lsp-get action :title)))
                    (lsp-code-actions-at-point)))
  (search-forward "def ends_at")
  (tutor-lsp-hint)
  (tests-until (string-search "# Hint 1 · ex-2" (tests-tutor-text))))

(provide 'tutor-lsp-tests)
;;; tutor-lsp-tests.el ends here
