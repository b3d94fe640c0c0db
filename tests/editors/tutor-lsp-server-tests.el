;;; tutor-lsp-server-tests.el --- Which server a file has, and others beside it  -*- lexical-binding: t; -*-

;;; Commentary:

;; Run in batch by test_emacs.py, one test per Emacs, in a home of its own.

;;; Code:

(require 'tutor-lsp-test-support)

(ert-deftest tests-a-file-of-a-language-that-was-added ()
  (tests-open)
  (let ((server (eglot-current-server)))
    (find-file (expand-file-name "src/tea.toy" (tutor-lsp-root)))
    (tests-until (eglot-managed-p))
    (should (eq server (eglot-current-server)))))

(ert-deftest tests-a-save-before-eglot-is-connected ()
  (tests-open)
  (let ((stub (buffer-file-name)))
    (tests-as-in-a-new-emacs)
    (find-file stub)
    (should-not (eglot-managed-p))
    (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours + minutes")
    (save-buffer)
    (tests-until (equal '("to_minutes") (tests-marked "test-failed")))))

(defun tests-as-in-a-new-emacs ()
  "Forget servers, files and what was told of exercises."
  (eglot-shutdown (eglot-current-server))
  (mapc (lambda (buffer) (with-current-buffer buffer (when buffer-file-name (kill-buffer))))
        (buffer-list))
  (setq tutor-lsp--session nil tutor-lsp--last nil tutor-lsp--folders nil tutor-lsp--units nil
        tutor-lsp--standings nil tutor-lsp--reports nil))

;; As by `emacs src/exercise/movie.py' the next day.
(ert-deftest tests-an-exercise-that-is-opened-as-a-file ()
  (tests-open)
  (let ((stub (buffer-file-name)))
    (tests-as-in-a-new-emacs)
    (find-file stub)
    (tests-until (eglot-managed-p))
    (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours * 60 + minutes")
    (tutor-lsp-check)
    (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
    (tests-until (string-search "tutor: 1 of 4 units pass ▶ ends_at" (tutor-lsp-mode-line)))
    ;; Beside what others show there.
    (should-not (local-variable-p 'mode-line-misc-info))
    (should (member tutor-lsp--mode-line-item mode-line-misc-info))
    (tutor-lsp-output)
    (should (string-search "3 of 11 tests pass" (tests-tutor-text)))
    (tutor-lsp-show)
    (should (looking-at "raise NotImplementedError(\"ends_at\")"))
    (should (get-buffer-window "LESSON.md"))
    ;; Where no exercise is in front, the one that was used last is meant.
    (setq tests-said nil)
    (switch-to-buffer "*scratch*")
    (tutor-lsp-check)
    (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))))

(ert-deftest tests-each-exercise-tells-of-itself ()
  (tests-open)
  (let ((first (buffer-file-name)))
    (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours * 60 + minutes")
    (tutor-lsp-check)
    (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))
    (tutor-lsp--ask "tutor.start" '(:language "python" :node "python-strings"))
    (tests-until (not (string-suffix-p "/movie.py" (or buffer-file-name "/movie.py"))))
    (tests-until (and (eglot-managed-p) (tests-marked "todo")))
    (find-file first)
    (should (string-search "1 of 4 units pass ▶ ends_at" (tutor-lsp-mode-line)))
    (tutor-lsp-output)
    (should (string-search "3 of 11 tests pass" (tests-tutor-text)))
    ;; By what was asked last, not by the server that came last.
    (tutor-lsp-check)
    (tests-until (string-search "3 of 11" (car tests-said)))
    (setq tests-said nil)
    (switch-to-buffer "*scratch*")
    (tutor-lsp-check)
    (tests-until (tests-said-p "Not yet: 3 of 11 tests pass."))))

(ert-deftest tests-nothing-stays-beneath-the-code-without-a-server ()
  (tests-open)
  (tests-put "raise NotImplementedError(\"to_minutes\")" "return hours + minutes")
  (save-buffer)
  (tests-until (tests-failures))
  (eglot-shutdown (eglot-current-server))
  (tests-until (not (tests-failures))))

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
  (let ((hint (lsp-request "workspace/executeCommand"
                           '(:command "tutor.hint" :arguments [(:unit "ex-2")]))))
    (should (string-search "M-x tutor-lsp-hint" (lsp-get (lsp-get hint :say) :markdown))))
  (search-forward "def ends_at")
  (tutor-lsp-hint)
  (tests-until (string-search "# Hint 2 · ex-2" (tests-tutor-text))))

(provide 'tutor-lsp-server-tests)
;;; tutor-lsp-server-tests.el ends here
