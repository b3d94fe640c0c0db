;;; tutor-lsp-client.el --- The tutor's server in Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Exercises as projects, Eglot's registration in them, asking the server.
;; Nothing here shows results; see tutor-lsp.el.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'jsonrpc)
(require 'seq)
(require 'subr-x)

(require 'tutor-lsp-exercise)
(require 'tutor-lsp-words)

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
Each element is (MODES PROGRAM ARGUMENT...): a list of major modes, and how the
server for them is started.  Eglot runs one server per buffer, so both are run
by `tutor-lsp-multiplexer'."
  :type '(alist :key-type (repeat symbol) :value-type (repeat string)))

(defcustom tutor-lsp-multiplexer '("rass")
  "Program that runs several servers as one; `pip install rassumfrassum'."
  :type '(repeat string))

(defclass tutor-lsp-peer () ()
  :documentation "A connection to the tutor's server." :abstract t)

(defclass tutor-lsp-server (tutor-lsp-peer eglot-lsp-server) ()
  :documentation "Eglot's to the server of an exercise, alone or beside another one.")

(defclass tutor-lsp-alone (tutor-lsp-peer jsonrpc-process-connection) ()
  :documentation "Our own, where Eglot has none: no file needs to be open.")

(defconst tutor-lsp-modes
  '((python-mode :language-id "python") (python-ts-mode :language-id "python")
    (rust-mode :language-id "rust") (rust-ts-mode :language-id "rust")
    (rustic-mode :language-id "rust") (tutor-lsp-code-mode :language-id "rust")
    (c-mode :language-id "c") (c-ts-mode :language-id "c")
    (c++-mode :language-id "cpp") (c++-ts-mode :language-id "cpp")
    (markdown-mode :language-id "markdown") (gfm-mode :language-id "markdown")
    (markdown-ts-mode :language-id "markdown")
    (tutor-lsp-lesson-mode :language-id "markdown")
    ;; Those of languages that were added.
    (prog-mode :language-id "plaintext"))
  "Major modes of exercise files, and modes that these may derive from.
Eglot asks for them before there is a server that could name its
languages, and a server beside ours depends on the names.  Languages
that are not listed work, too.")

(defvar tutor-lsp--servers nil "Servers that were connected, newest first.")
(defvar tutor-lsp--waiting nil "What to do once a server is connected, newest first.")

;;;; Exercises

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
    (pcase (file-relative-name buffer-file-name (tutor-lsp-root))
      ((rx ".md" eos) (tutor-lsp-lesson-mode))
      ((rx bos (or "src" "tests") "/") (tutor-lsp-code-mode)))))

(defun tutor-lsp--contact (&rest _)
  "The contact for Eglot in an exercise, by the current buffer's mode."
  (let ((other (cdr (seq-find (lambda (entry) (memq major-mode (car entry)))
                              tutor-lsp-beside))))
    (cons 'tutor-lsp-server
          (if other
              `(,@tutor-lsp-multiplexer "--" ,@tutor-lsp-command "--" ,@other)
            tutor-lsp-command))))

(defun tutor-lsp-register ()
  "Let Eglot use the tutor's server in this buffer of an exercise."
  (tutor-lsp--choose-mode)
  (make-local-variable 'eglot-server-programs)
  (add-to-list 'eglot-server-programs (cons tutor-lsp-modes #'tutor-lsp--contact)))

(defun tutor-lsp-attach ()
  "Connect the current buffer to the tutor's server if it belongs to an exercise.
Value is nil where there is nothing to connect, such as in a text file."
  (when (tutor-lsp-root)
    (tutor-lsp-register)
    (when (apply #'derived-mode-p (mapcar #'car tutor-lsp-modes))
      (eglot-ensure)
      t)))

;;;; Asking

(cl-defmethod eglot-initialization-options ((_server tutor-lsp-peer))
  "We show results and put the server's questions; this is how commands are typed."
  `(:ui "client" :ask t :reports t :texts t :commandForm "M-x tutor-lsp-%s"
    ,@tutor-lsp-settings))

(cl-defmethod eglot-client-capabilities ((_server tutor-lsp-server))
  "Announce questions, which Eglot puts to the learner without saying so.
Documents are shown by us, so not by the server, too.  With its diagnostics
the server sends where the code of a stub is."
  (let* ((capabilities (cl-call-next-method))
         (documents (copy-sequence (plist-get capabilities :textDocument)))
         (published (copy-sequence (plist-get documents :publishDiagnostics)))
         (window (copy-sequence (plist-get capabilities :window))))
    (setq window (plist-put window :showMessage (make-hash-table))
          window (plist-put window :showDocument '(:support :json-false)))
    (setq published (plist-put published :dataSupport t)
          documents (plist-put documents :publishDiagnostics published))
    (plist-put (plist-put capabilities :window window) :textDocument documents)))

(defun tutor-lsp--connected (server)
  "Take note of SERVER if it is the tutor's."
  (when (cl-typep server 'tutor-lsp-server)
    (push server tutor-lsp--servers)
    (tutor-lsp--go-on)))

(defun tutor-lsp--go-on ()
  "Do what waited for a server."
  (let ((waiting (nreverse tutor-lsp--waiting)))
    (setq tutor-lsp--waiting nil)
    (mapc #'funcall waiting)))

(defun tutor-lsp--decoded (path)
  "PATH with its bytes read as UTF-8 where the tutor's server sent them.
Eglot of Emacs 30 leaves them as they are, and finds no buffer for such a file."
  (if (and (stringp path) (seq-some (lambda (char) (> char 127)) path)
           (cl-typep (eglot-current-server) 'tutor-lsp-server))
      (decode-coding-string (encode-coding-string path 'raw-text-unix) 'utf-8-unix)
    path))

(defun tutor-lsp-live-server ()
  "The tutor's server of this buffer or else of the exercise last used.
Where that has none, the one connected last, or nil."
  (setq tutor-lsp--servers (seq-filter #'jsonrpc-running-p tutor-lsp--servers))
  (let ((here (eglot-current-server)))
    (cond ((and here (memq here tutor-lsp--servers)) here)
          ((seq-find #'tutor-lsp--of-last-p tutor-lsp--servers))
          (t (car tutor-lsp--servers)))))

(defun tutor-lsp--of-last-p (server)
  "Whether SERVER is that of the exercise last used."
  (and tutor-lsp--last (cl-typep server 'tutor-lsp-server)
       (equal tutor-lsp--last
              (tutor-lsp-exercise-folder (project-root (eglot--project server))))))

;;;; A server without files

(defvar tutor-lsp--alone nil "The server that was started without a file, or nil.")

(defconst tutor-lsp--folder (file-name-directory (or load-file-name buffer-file-name ""))
  "Where this package lies.")

(defun tutor-lsp--how-to-install ()
  "The command to install the server: from the clone with this package, if any."
  (format "pipx install %s"
          (or (locate-dominating-file tutor-lsp--folder "pyproject.toml")
              (tutor-lsp-t "<a clone of tutor-lsp, or its wheel>"))))

(defun tutor-lsp--start-alone ()
  "Start a server that needs no file; what waits is done once it is ready."
  (unless (executable-find (car tutor-lsp-command))
    (setq tutor-lsp--waiting nil)
    (user-error "%s" (tutor-lsp-t
                      "`{program}' is not an executable: {install}, or set `tutor-lsp-command'"
                      :program (car tutor-lsp-command) :install (tutor-lsp--how-to-install))))
  (let ((server (make-instance
                 'tutor-lsp-alone :name "tutor-lsp" :process #'tutor-lsp--process
                 :notification-dispatcher (tutor-lsp--spread #'eglot-handle-notification)
                 :request-dispatcher (tutor-lsp--spread #'eglot-handle-request)
                 :events-buffer-config eglot-events-buffer-config
                 :on-shutdown #'tutor-lsp--alone-ended)))
    (setq tutor-lsp--alone server)
    (jsonrpc-async-request
     server :initialize
     (list :processId (emacs-pid) :rootUri nil
           :initializationOptions (eglot-initialization-options server)
           :capabilities `(:window (:workDoneProgress t :showMessage ,(make-hash-table))))
     :success-fn (lambda (_)
                   (jsonrpc-notify server :initialized (make-hash-table))
                   ;; Last: an exercise's own server is asked first.
                   (setq tutor-lsp--servers (append tutor-lsp--servers (list server)))
                   (tutor-lsp--go-on))
     :error-fn (lambda (problem)
                 (setq tutor-lsp--waiting nil)
                 (message "%s" (plist-get problem :message)))
     ;; A first start may take long; if the process ends, that is an error, too.
     :timeout nil)))

(defun tutor-lsp--process ()
  "The process of a server without files."
  (make-process :name "tutor-lsp" :command tutor-lsp-command :connection-type 'pipe
                :coding 'utf-8-emacs-unix :noquery t
                :stderr (get-buffer-create " *tutor-lsp stderr*")))

(defun tutor-lsp--spread (handle)
  "HANDLE as the dispatcher of a connection."
  (lambda (server method params) (apply handle server method (append params nil))))

(defun tutor-lsp--alone-ended (server)
  "Take note that SERVER ended."
  (when (eq server tutor-lsp--alone) (setq tutor-lsp--alone nil)))

(defun tutor-lsp--silently (act &rest arguments)
  "Do ACT with ARGUMENTS and without messages."
  (let ((inhibit-message t) (message-log-max nil)) (apply act arguments)))

(defun tutor-lsp-retire-alone ()
  "End the server without files once an exercise has one."
  (when (and tutor-lsp--alone (jsonrpc-running-p tutor-lsp--alone)
             (seq-some (lambda (server) (cl-typep server 'tutor-lsp-server)) tutor-lsp--servers))
    (let ((server tutor-lsp--alone))
      (setq tutor-lsp--alone nil
            tutor-lsp--servers (delq server tutor-lsp--servers))
      ;; This end is meant: that the server exited would read like a crash.
      (add-function :around (process-sentinel (jsonrpc--process server)) #'tutor-lsp--silently)
      (jsonrpc-async-request server :shutdown nil
                             :success-fn (lambda (_) (jsonrpc-notify server :exit nil))
                             :error-fn #'ignore))))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-alone) (_method (eql $/progress)) &key value &allow-other-keys)
  "Show the progress VALUE, as Eglot does in its mode line."
  (message "%s" (string-join (delq nil (list (plist-get value :title) (plist-get value :message)))
                             ": ")))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-alone) (_method (eql textDocument/publishDiagnostics)) &rest _)
  "Do nothing: they come from an exercise's own server.")

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-alone) (_method (eql window/workDoneProgress/create)) &rest _)
  "Progress is shown as it comes.")

;;;; Commands of the server

(defun tutor-lsp-execute (command argument on-result on-error &optional server)
  "Ask SERVER, by default the one in use, to run COMMAND with ARGUMENT, a plist.
Call ON-RESULT with its result or ON-ERROR with a plist that has a :message.
Without any server one is started."
  (if-let* ((server (or server (tutor-lsp-live-server))))
      (jsonrpc-async-request
       server :workspace/executeCommand
       (list :command command :arguments (if argument (vector argument) []))
       :success-fn on-result :error-fn on-error :timeout nil)
    (push (lambda () (tutor-lsp-execute command argument on-result on-error)) tutor-lsp--waiting)
    (unless (and tutor-lsp--alone (jsonrpc-running-p tutor-lsp--alone))
      (tutor-lsp--start-alone))))

(defun tutor-lsp-execute-now (command &optional argument)
  "The result of COMMAND with ARGUMENT; for what answers at once."
  (let ((done nil) (answer nil) (problem nil))
    (tutor-lsp-execute command argument
                       (lambda (result) (setq done t answer result))
                       (lambda (failure) (setq done t problem failure)))
    (with-timeout (20 (user-error "%s" (tutor-lsp-t "The tutor's server does not answer")))
      (while (not done) (accept-process-output nil 0.05)))
    (when problem (user-error "%s" (plist-get problem :message)))
    answer))

(provide 'tutor-lsp-client)
;;; tutor-lsp-client.el ends here
