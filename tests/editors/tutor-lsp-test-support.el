;;; tutor-lsp-test-support.el --- What the tests of tutor-lsp share  -*- lexical-binding: t; -*-

;;; Commentary:

;; Loaded first by each of tutor-lsp-*-tests.el, which test_emacs.py runs.
;; TUTOR_TEST_SERVER holds the server's command.

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

;; Every result must be shown in the server's words.
(defvar tests-worded nil "Commands whose results were shown.")
(defvar tests-lost nil "What the server said of a result, but nobody was shown.")

(defun tests-note-words (command result)
  "Note whether what the server says of the RESULT of COMMAND is shown."
  (when-let* ((say (plist-get result :say)))
    (unless (member command '("tutor.open" "tutor.resume"))
      (push command tests-worded)
      (unless (or (tests-said-p (plist-get say :oneLine))
                  (string-search (string-trim (plist-get say :markdown)) (tests-tutor-text)))
        (push (list command say) tests-lost)))))

(advice-add 'tutor-lsp--show :after #'tests-note-words)

(defun tests-should-have-worded (&rest verbs)
  "The results of VERBS were shown, and nothing that the server said was lost."
  (should-not tests-lost)
  (should-not (seq-remove (lambda (verb) (member (format "tutor.%s" verb) tests-worded)) verbs)))

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

(defun tests-failures ()
  "Each line of this buffer with a failure beneath it, and the text of that."
  (cl-loop for overlay in (overlays-in (point-min) (point-max))
           when (overlay-get overlay 'tutor-lsp-failure)
           collect (save-excursion
                     (goto-char (overlay-end overlay))
                     (list (buffer-substring-no-properties (pos-bol) (pos-eol))
                           (substring-no-properties (overlay-get overlay 'after-string))))))

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

(defconst tests-bees '(:language "python" :backend "scripted" :topic "bees"))

(defun tests-work ()
  "What the server without files says of the work that goes on."
  (mapconcat (lambda (job) (plist-get job :message))
             (plist-get (tutor-lsp-execute-now "tutor.status") :jobs) " "))

(provide 'tutor-lsp-test-support)
;;; tutor-lsp-test-support.el ends here
