;;; tutor-lsp-client.el --- The tutor's server in Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Exercises as projects, Eglot's registration in them, asking the server.
;; Nothing here shows anything; see tutor-lsp.el.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(defgroup tutor-lsp nil
  "A coding tutor in your editor."
  :group 'tools
  :prefix "tutor-lsp-")

(defcustom tutor-lsp-command '("tutor-lsp")
  "How the tutor's server is started: a program and its arguments."
  :type '(repeat string))

(defcustom tutor-lsp-settings nil
  "Settings of the server as a plist, such as (:runOnSave :json-false)."
  :type 'plist)

(defcustom tutor-lsp-beside nil
  "Other servers to run in exercises, by major modes.
Each element is (MODES PROGRAM ARGUMENT...), such as
\((python-mode python-ts-mode) \"pyright-langserver\" \"--stdio\").  Eglot runs
one server per buffer, so both are run by `tutor-lsp-multiplexer'."
  :type '(alist :key-type (repeat symbol) :value-type (repeat string)))

(defcustom tutor-lsp-multiplexer '("rass")
  "Program that runs several servers as one; `pip install rassumfrassum'."
  :type '(repeat string))

(defclass tutor-lsp-server (eglot-lsp-server) ()
  :documentation "The tutor's server, alone or beside another one.")

(defconst tutor-lsp-modes
  '((python-mode :language-id "python") (python-ts-mode :language-id "python")
    (rust-mode :language-id "rust") (rust-ts-mode :language-id "rust")
    (rustic-mode :language-id "rust") (tutor-lsp-code-mode :language-id "rust")
    (c-mode :language-id "c") (c-ts-mode :language-id "c")
    (c++-mode :language-id "cpp") (c++-ts-mode :language-id "cpp")
    (markdown-mode :language-id "markdown") (gfm-mode :language-id "markdown")
    (markdown-ts-mode :language-id "markdown")
    (tutor-lsp-lesson-mode :language-id "markdown"))
  "Major modes of exercise files.")

(defvar tutor-lsp--servers nil "Servers that were connected, newest first.")
(defvar tutor-lsp--waiting nil "What to do once a server is connected, newest first.")

;;;; Exercises

(defun tutor-lsp-root (&optional path)
  "Folder of the exercise that PATH or the current buffer's file lies in."
  (when-let* ((path (or path buffer-file-name))
              (root (locate-dominating-file path ".tutor/exercise.json")))
    (expand-file-name root)))

(defun tutor-lsp-project-find (folder)
  "The exercise that FOLDER lies in, as a project of its own."
  (when-let* ((root (tutor-lsp-root folder)))
    (cons 'transient root)))

(define-derived-mode tutor-lsp-lesson-mode outline-mode "Lesson"
  "For LESSON.md where no mode for Markdown is installed."
  (setq-local outline-regexp "#+ ")
  (visual-line-mode 1))

(define-derived-mode tutor-lsp-code-mode prog-mode "Code"
  "For sources of exercises where no mode for their language is installed."
  (setq-local comment-start "// "))

(defun tutor-lsp--choose-mode ()
  "Choose a major mode that Eglot can manage where there is none."
  (when (memq major-mode '(fundamental-mode text-mode))
    (pcase (file-name-extension buffer-file-name)
      ("md" (tutor-lsp-lesson-mode))
      ("rs" (tutor-lsp-code-mode)))))

(defun tutor-lsp--contact (&rest _)
  "What Eglot starts for the current buffer's mode in an exercise."
  (let ((other (cdr (seq-find (lambda (entry) (memq major-mode (car entry)))
                              tutor-lsp-beside))))
    (cons 'tutor-lsp-server
          (if other
              `(,@tutor-lsp-multiplexer "--" ,@tutor-lsp-command "--" ,@other)
            tutor-lsp-command))))

(defun tutor-lsp-register ()
  "Let Eglot use the tutor's server in this buffer, which shows an exercise."
  (tutor-lsp--choose-mode)
  (make-local-variable 'eglot-server-programs)
  (add-to-list 'eglot-server-programs (cons tutor-lsp-modes #'tutor-lsp--contact)))

(defun tutor-lsp-attach ()
  "Connect the current buffer to the tutor's server if it shows an exercise."
  (when (tutor-lsp-root)
    (tutor-lsp-register)
    (when (assq major-mode tutor-lsp-modes)
      (eglot-ensure))))

;;;; Asking

(cl-defmethod eglot-initialization-options ((_server tutor-lsp-server))
  "We show results, and put the server's questions."
  `(:ui "client" :ask t ,@tutor-lsp-settings))

(defun tutor-lsp--connected (server)
  "Take note of SERVER if it is the tutor's."
  (when (cl-typep server 'tutor-lsp-server)
    (push server tutor-lsp--servers)
    (let ((waiting (nreverse tutor-lsp--waiting)))
      (setq tutor-lsp--waiting nil)
      (mapc #'funcall waiting))))

(defun tutor-lsp--decoded (path)
  "PATH with its bytes read as UTF-8 where the tutor's server sent them.
Eglot of Emacs 30 leaves them as they are, and finds no buffer for such a file."
  (if (and (stringp path) (seq-some (lambda (char) (> char 127)) path)
           (cl-typep (eglot-current-server) 'tutor-lsp-server))
      (decode-coding-string (encode-coding-string path 'raw-text-unix) 'utf-8-unix)
    path))

(defun tutor-lsp-live-server ()
  "The tutor's server of this buffer, else the one connected last, or nil."
  (setq tutor-lsp--servers (seq-filter #'jsonrpc-running-p tutor-lsp--servers))
  (let ((here (eglot-current-server)))
    (if (and here (memq here tutor-lsp--servers)) here (car tutor-lsp--servers))))

(defun tutor-lsp--argv (command argument)
  "COMMAND with ARGUMENT as a command line of the terminal."
  (let ((words (list (string-remove-prefix "tutor." command) "--json"))
        (free (if (equal command "tutor.resume") '(:session) '(:node))))
    (cl-loop for (key value) on argument by #'cddr do
             (cond ((eq key :uri))
                   ((and (memq key free) (not (equal command "tutor.start")))
                    (setq words (append words (list value))))
                   ((eq key :known)
                    (setq words (append words (list (if (eq value t) "--known" "--unknown")))))
                   (t (let ((flag (concat "--" (tutor-lsp--dashed key))))
                        (setq words (append words (if (eq value t) (list flag)
                                                    (list flag (format "%s" value)))))))))
    (append tutor-lsp-command words)))

(defun tutor-lsp--dashed (key)
  "Name of the option for KEY, such as error-code for :errorCode."
  (let ((case-fold-search nil))
    (downcase (replace-regexp-in-string "\\([A-Z]\\)" "-\\1" (substring (symbol-name key) 1)))))

(defun tutor-lsp--parse (text)
  "TEXT as JSON in the form that Eglot uses, nil if it is none."
  (ignore-errors
    (json-parse-string text :object-type 'plist :null-object nil :false-object :json-false)))

(defvar tutor-lsp--process nil "The terminal's verb that is running, or nil.")

(defun tutor-lsp--run (command argument on-result on-error)
  "Run COMMAND with ARGUMENT in a process of its own, where no server is connected.
Call ON-RESULT or ON-ERROR with its JSON when it ends; what it says meanwhile is
echoed."
  (let* ((out (generate-new-buffer " *tutor-lsp*"))
         (said (make-pipe-process
                :name "tutor-lsp-said" :noquery t :buffer nil
                :filter (lambda (pipe text)
                          (process-put pipe 'text (concat (process-get pipe 'text) text))
                          (when-let* ((line (car (last (split-string text "\n" t " *")))))
                            (unless (string-prefix-p "{" line) (message "%s" line))))
                :sentinel #'ignore)))
    (setq tutor-lsp--process
          (make-process
           :name "tutor-lsp" :buffer out :stderr said :noquery t :connection-type 'pipe
           :command (tutor-lsp--argv command argument)
           :sentinel
           (lambda (process _event)
             (unless (process-live-p process)
               (accept-process-output said 0.2)
               (let ((result (with-current-buffer out (tutor-lsp--parse (buffer-string))))
                     (lines (split-string (or (process-get said 'text) "") "\n" t)))
                 (kill-buffer out)
                 (delete-process said)
                 (if (memq (process-exit-status process) '(0 3))
                     (funcall on-result result)
                   (funcall on-error (or (seq-some #'tutor-lsp--parse (reverse lines))
                                         (list :message (string-join lines "\n"))))))))))
    (process-send-eof tutor-lsp--process)))

(defun tutor-lsp-execute (command argument on-result on-error)
  "Ask the server to run COMMAND with ARGUMENT, a plist.
Call ON-RESULT with its result or ON-ERROR with a plist that has a :message."
  (if-let* ((server (tutor-lsp-live-server)))
      (jsonrpc-async-request
       server :workspace/executeCommand
       (list :command command :arguments (if argument (vector argument) []))
       :success-fn on-result :error-fn on-error :timeout nil)
    (tutor-lsp--run command argument on-result on-error)))

(defun tutor-lsp-execute-now (command &optional argument)
  "The result of COMMAND with ARGUMENT; for what answers at once."
  (let ((done nil) (answer nil) (problem nil))
    (tutor-lsp-execute command argument
                       (lambda (result) (setq done t answer result))
                       (lambda (failure) (setq done t problem failure)))
    (with-timeout (20 (user-error "The tutor's server does not answer"))
      (while (not done) (accept-process-output nil 0.05)))
    (when problem (user-error "%s" (plist-get problem :message)))
    answer))

(provide 'tutor-lsp-client)
;;; tutor-lsp-client.el ends here
