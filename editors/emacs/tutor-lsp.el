;;; tutor-lsp.el --- A coding tutor in your editor  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "30.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; (add-to-list 'load-path (string-trim (shell-command-to-string "tutor-lsp editor-path emacs")))
;; (require 'tutor-lsp)
;; (tutor-lsp-global-mode 1)
;;
;; Then M-x tutor-lsp-start.  In an exercise failures appear by Flymake on your
;; own stubs each time you save, and M-x eglot-code-actions offers what else
;; there is; every command below works from any buffer.

;;; Code:

(require 'tutor-lsp-client)
(require 'tutor-lsp-pick)
(require 'tutor-lsp-text)

(defcustom tutor-lsp-language nil
  "Language to prefer where none is named, such as \"python\"."
  :type '(choice (const nil) string)
  :group 'tutor-lsp)

(defcustom tutor-lsp-attach t
  "Whether to start the server when a file of an exercise is opened."
  :type 'boolean
  :group 'tutor-lsp)

(defvar tutor-lsp--session nil "The exercise last opened: what tutor/sessionReady said.")
(defvar tutor-lsp--units nil "Newest known units by id of session.")
(defvar tutor-lsp--started nil "When the start was asked for whose end is not known yet.")
(defvar tutor-lsp--maker nil "The server that was asked for it.")
(defvar tutor-lsp--opens-itself-s 5 "After a longer wait an exercise does not jump into the way.")

;;;###autoload
(define-minor-mode tutor-lsp-global-mode
  "Connect files of exercises to the tutor."
  :global t
  :group 'tutor-lsp
  (if tutor-lsp-global-mode
      (progn
        (add-hook 'project-find-functions #'tutor-lsp-project-find -10)
        (add-hook 'eglot-connect-hook #'tutor-lsp--connected)
        (add-hook 'eglot-connect-hook #'tutor-lsp--attached 10)
        (advice-add 'eglot-uri-to-path :filter-return #'tutor-lsp--decoded)
        (add-hook 'find-file-hook #'tutor-lsp--opened-file))
    (remove-hook 'project-find-functions #'tutor-lsp-project-find)
    (remove-hook 'eglot-connect-hook #'tutor-lsp--connected)
    (remove-hook 'eglot-connect-hook #'tutor-lsp--attached)
    (advice-remove 'eglot-uri-to-path #'tutor-lsp--decoded)
    (remove-hook 'find-file-hook #'tutor-lsp--opened-file)))

(defun tutor-lsp--opened-file ()
  "Connect the buffer that was just opened if it shows an exercise."
  (when (tutor-lsp-root)
    (tutor-lsp-register)
    (setq-local mode-line-misc-info '((:eval (tutor-lsp-mode-line)) " "))
    (when tutor-lsp-attach (tutor-lsp-attach))))

(defun tutor-lsp-mode-line ()
  "How far the exercise is, for a mode line."
  (let ((units (cdr (assoc (plist-get tutor-lsp--session :sessionId) tutor-lsp--units))))
    (if units (tutor-lsp-text-tally units) "")))

;;;; What the server sends

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/sessionReady)) &rest session)
  "Open the exercise of SESSION, or after a long wait say that it is there."
  (tutor-lsp--ready session))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/sessionFailed)) &key message &allow-other-keys)
  "Say why there is no exercise: MESSAGE."
  (tutor-lsp--made)
  (tutor-lsp-text-say message))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/unitsChanged))
   &key sessionId units &allow-other-keys)
  "Keep the states of the UNITS of the session SESSIONID."
  (setf (alist-get sessionId tutor-lsp--units nil nil #'equal) units)
  (force-mode-line-update t))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/reviewReady)) &rest _payload)
  "The attempt's own answer brings the review.")

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/hintReady)) &key hint &allow-other-keys)
  "Show HINT, which is known at once; the answer of a model replaces it."
  (tutor-lsp-text-show "tutor.hint" hint))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql window/showMessage)) &key message &allow-other-keys)
  "Say MESSAGE."
  (tutor-lsp-text-say message))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-alone) (_method (eql $/progress)) &key value &allow-other-keys)
  "Say how far the work is: VALUE.  Eglot shows it in its own mode line."
  (tutor-lsp-text-say
   (string-join (delq nil (list (plist-get value :title) (plist-get value :message))) ": ")))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-server) (_method (eql textDocument/publishDiagnostics))
   &key diagnostics &allow-other-keys)
  "Let the tutor's DIAGNOSTICS speak in words that can be typed."
  (seq-doseq (diagnostic diagnostics)
    (when (equal (plist-get diagnostic :source) "tutor")
      (plist-put diagnostic :message (tutor-lsp-text-typed (plist-get diagnostic :message)))))
  (cl-call-next-method))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-alone) (_method (eql textDocument/publishDiagnostics)) &rest _)
  "An exercise's own server tells where they are shown.")

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-alone) (_method (eql window/workDoneProgress/create)) &rest _)
  "Progress is shown as it comes.")

(defmacro tutor-lsp--answered (&rest body)
  "What BODY reads in the minibuffer, nil if it is left.
Also where another question is open."
  `(let* ((enable-recursive-minibuffers t)
          (answer (condition-case nil (progn ,@body) (quit nil))))
     (and answer (not (string-blank-p answer)) answer)))

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-peer) (_method (eql tutor/ask)) &key prompt)
  "Put the question PROMPT to the learner."
  (list :text (tutor-lsp--answered (read-string (concat (tutor-lsp-text-typed prompt) " ")))))

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-peer) (_method (eql window/showMessageRequest))
   &key message actions &allow-other-keys)
  "Ask MESSAGE, to be answered by one of ACTIONS: what to do with a plan."
  (let ((choices (mapcar (lambda (action) (list (plist-get action :title))) actions)))
    (when-let* ((chosen (tutor-lsp--answered
                         (tutor-lsp-pick-read (concat (tutor-lsp-text-typed message) " ")
                                              choices))))
      (list :title chosen))))

(cl-defmethod eglot-execute ((_server tutor-lsp-server) action)
  "Run ACTION; show the result of one of the tutor's commands."
  (let ((command (plist-get action :command)))
    (if (and (stringp command) (string-prefix-p "tutor." command))
        (let ((arguments (plist-get action :arguments)))
          (tutor-lsp--ask command (and (> (length arguments) 0) (elt arguments 0))))
      (cl-call-next-method))))

(defun tutor-lsp--ready (session)
  "Show SESSION now if the wait was short."
  (setq tutor-lsp--session session)
  (setf (alist-get (plist-get session :sessionId) tutor-lsp--units nil nil #'equal)
        (plist-get session :units))
  (let ((waited (and tutor-lsp--started (float-time (time-since tutor-lsp--started)))))
    (tutor-lsp--made)
    (if (and waited (> waited tutor-lsp--opens-itself-s))
        (message "Ready: %s.  M-x tutor-lsp-show opens it" (plist-get session :title))
      (tutor-lsp-show))))

(defun tutor-lsp--made ()
  "No exercise is being made any more."
  (setq tutor-lsp--started nil tutor-lsp--maker nil)
  (tutor-lsp-retire-alone))

(defun tutor-lsp--attached (_server)
  "An exercise has a server of its own."
  (unless tutor-lsp--started (tutor-lsp-retire-alone)))

;;;; Asking and showing

(defun tutor-lsp--save ()
  "Save what is modified in the exercise in use: what is seen is what is run."
  (when-let* ((root (tutor-lsp--here)))
    (save-some-buffers t (lambda () (and buffer-file-name
                                         (file-in-directory-p buffer-file-name root))))))

(defun tutor-lsp--here ()
  "Folder of the exercise in use."
  (or (tutor-lsp-root) (plist-get tutor-lsp--session :workspace)))

(defun tutor-lsp--uri ()
  "Argument that says which exercise is meant: this buffer's, if it shows one."
  (and (tutor-lsp-root) (list :uri (eglot-path-to-uri buffer-file-name))))

(defconst tutor-lsp--need-exercise
  '("tutor.check" "tutor.attempt" "tutor.hint" "tutor.next" "tutor.reveal" "tutor.reset"
    "tutor.restore" "tutor.open" "tutor.review" "tutor.polish" "tutor.compare" "tutor.ask")
  "Commands about an exercise: in its files they wait for Eglot to connect.")

(defun tutor-lsp--ask (command &optional argument)
  "Run COMMAND with ARGUMENT and show what comes."
  (if (and (member command tutor-lsp--need-exercise) tutor-lsp-attach
           (not (eglot-current-server)) (tutor-lsp-attach))
      (push (lambda () (tutor-lsp--send command argument)) tutor-lsp--waiting)
    (tutor-lsp--send command argument)))

(defun tutor-lsp--send (command argument)
  "Run COMMAND with ARGUMENT on what is saved, and show what comes."
  (when (member command tutor-lsp--need-exercise)
    (tutor-lsp--save))
  (let ((argument (if (or (plist-member argument :session) (equal command "tutor.start")) argument
                    (append argument (tutor-lsp--uri)))))
    (tutor-lsp-execute command argument
                       (lambda (result) (tutor-lsp--show command result))
                       (lambda (problem) (tutor-lsp--refused command argument problem))))
  (when (member command '("tutor.start" "tutor.next"))
    (setq tutor-lsp--started (current-time)
          tutor-lsp--maker (or (tutor-lsp-live-server) tutor-lsp--alone))))

(defun tutor-lsp--refused (command argument problem)
  "Say why COMMAND with ARGUMENT was refused: PROBLEM."
  (when (member command '("tutor.start" "tutor.next")) (tutor-lsp--made))
  (let* ((message (tutor-lsp-text-typed (plist-get problem :message)))
         (kind (plist-get (plist-get problem :data) :kind))
         (details (plist-get (plist-get problem :data) :details)))
    (if (and (equal command "tutor.reveal") (plist-get details :confirm)
             (not (plist-get argument :confirm)))
        ;; Later: a question inside the process filter would hold all other answers.
        (run-at-time 0 nil (lambda ()
                             (when (y-or-n-p (concat message " Show it? "))
                               (tutor-lsp--ask command `(:confirm t ,@argument)))))
      (message "%s%s" message
               (if (and (equal kind "NO_SESSION") (not (string-search "M-x " message)))
                   "  M-x tutor-lsp-start begins one."
                 "")))))

(defun tutor-lsp--show (command result)
  "Show the RESULT of COMMAND in its place."
  (pcase command
    ("tutor.resume" (tutor-lsp--ready result))
    ("tutor.open" (tutor-lsp--visit (plist-get result :file) (plist-get result :line)))
    ("tutor.compare" (ediff-files (plist-get result :yours) (plist-get result :reference)))
    ("tutor.report" (browse-url-of-file (plist-get result :path)))
    ("tutor.end" (setq tutor-lsp--session nil) (tutor-lsp-text-show command result))
    (_ (when (member command '("tutor.reset" "tutor.restore")) (tutor-lsp--reread))
       (tutor-lsp-text-show command result))))

(defun tutor-lsp--reread ()
  "Save what the server edited and read again what it wrote."
  (tutor-lsp--save)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (tutor-lsp-root) (not (buffer-modified-p))
                 (not (verify-visited-file-modtime buffer)))
        (revert-buffer t t t)))))

(defun tutor-lsp--visit (file line)
  "Show FILE of the exercise in use at LINE."
  (find-file (expand-file-name file (tutor-lsp--here)))
  (goto-char (point-min))
  (forward-line (1- (or line 1))))

(defconst tutor-lsp--begin "M-x tutor-lsp-start or M-x tutor-lsp-resume")

(defun tutor-lsp-show ()
  "Show the exercise in use: the stub to begin with, the lesson beside it."
  (interactive)
  (unless tutor-lsp--session
    (user-error "No exercise is open: %s" tutor-lsp--begin))
  (let* ((session tutor-lsp--session)
         (units (plist-get session :units))
         (unit (or (seq-find (lambda (unit) (eq (plist-get unit :focus) t)) units)
                   (and (> (length units) 0) (elt units 0))))
         (lesson (find-file-noselect (plist-get session :lesson)))
         (default-directory (file-name-as-directory (plist-get session :workspace))))
    (delete-other-windows)
    (if (not unit) (switch-to-buffer lesson)
      (find-file (plist-get unit :file))
      (goto-char (point-min))
      (forward-line (1- (plist-get unit :line)))
      (display-buffer lesson '((display-buffer-reuse-window display-buffer-in-direction)
                               (direction . right))))))

;;;; Commands

(defmacro tutor-lsp--defcommand (name doc)
  "Define tutor-lsp-NAME, which asks for tutor.NAME; DOC says what it does."
  (declare (indent defun))
  `(defun ,(intern (format "tutor-lsp-%s" name)) ()
     ,doc
     (interactive)
     (tutor-lsp--ask ,(format "tutor.%s" name))))

(tutor-lsp--defcommand next "End this exercise and start the first recommendation.")
(tutor-lsp--defcommand check "Run the tests now; it is never counted.")
(tutor-lsp--defcommand attempt "Run all tests, count it, and show a review.")
(tutor-lsp--defcommand review "Show the last review.")
(tutor-lsp--defcommand restore "Put edited tests and the lesson back as they were given.")
(tutor-lsp--defcommand polish "Keep polishing: no offer to finish.")
(tutor-lsp--defcommand status "Show units, work that goes on, and where exercises come from.")
(tutor-lsp--defcommand end "End the session.")
(tutor-lsp--defcommand report "Write the page with your progress and open it.")
(tutor-lsp--defcommand doctor "Show which tools work, and how to mend those that do not.")

(defun tutor-lsp-cancel ()
  "Stop what is going on.  Nothing half-made stays behind."
  (interactive)
  (tutor-lsp-execute "tutor.cancel" nil
                     (lambda (result) (tutor-lsp--show "tutor.cancel" result))
                     (lambda (problem) (tutor-lsp--refused "tutor.cancel" nil problem))
                     (and tutor-lsp--maker (jsonrpc-running-p tutor-lsp--maker)
                          tutor-lsp--maker)))

(defun tutor-lsp--unit (prompt &rest others)
  "A unit chosen with PROMPT, as an argument; the one you are on comes first.
OTHERS are further choices."
  (let* ((units (or (tutor-lsp--known-units)
                    (user-error "No exercise is open: %s" tutor-lsp--begin)))
         (here (plist-get (tutor-lsp--unit-at-point units) :unit))
         (first (lambda (unit) (if here (equal (plist-get unit :id) here)
                                 (eq (plist-get unit :focus) t))))
         (units (append (seq-filter first units) (seq-remove first units))))
    (tutor-lsp-pick prompt (append (mapcar #'tutor-lsp-text-choice units) others))))

(defun tutor-lsp--known-units ()
  "The units of this buffer's exercise, else of the one in use, as a list."
  (append (or (and (file-equal-p (or (tutor-lsp--here) "")
                                 (or (plist-get tutor-lsp--session :workspace) "/"))
                   (cdr (assoc (plist-get tutor-lsp--session :sessionId) tutor-lsp--units)))
              (plist-get (tutor-lsp-execute-now "tutor.status" (tutor-lsp--uri)) :units))
          nil))

(defun tutor-lsp-hint ()
  "Show the next hint for the unit at point, else the one you are on."
  (interactive)
  (tutor-lsp--ask "tutor.hint" (tutor-lsp--position)))

(defun tutor-lsp-ask (question)
  "Ask QUESTION about your code as it is now."
  (interactive "sYour question: ")
  (tutor-lsp--ask "tutor.hint" `(:question ,question ,@(tutor-lsp--position))))

(defun tutor-lsp--position ()
  "Argument that says where point is: to Eglot's server the place, else the unit."
  (cond ((not (tutor-lsp-root)) nil)
        ((eglot-managed-p) (list :position (eglot--pos-to-lsp-position)))
        (t (tutor-lsp--unit-at-point
            (cdr (assoc (plist-get tutor-lsp--session :sessionId) tutor-lsp--units))))))

(defun tutor-lsp--unit-at-point (units)
  "That of UNITS whose stub is the last above point, as an argument."
  (let* ((root (tutor-lsp-root))
         (line (line-number-at-pos nil t))
         (before (seq-filter (lambda (unit)
                               (and (<= (plist-get unit :line) line)
                                    (equal (expand-file-name (plist-get unit :file) root)
                                           buffer-file-name)))
                             units)))
    (and before (list :unit (plist-get (car (last before)) :id)))))

(defun tutor-lsp-reveal (unit)
  "Show the solution of UNIT.  Asks first, unless it is free by then."
  (interactive (list (tutor-lsp--unit "Solution of")))
  (tutor-lsp--ask "tutor.reveal" unit))

(defun tutor-lsp-compare (unit)
  "Show UNIT beside the reference, once it passes."
  (interactive (list (tutor-lsp--unit "Compare")))
  (tutor-lsp--ask "tutor.compare" unit))

(defun tutor-lsp-reset (unit)
  "Put the stub of UNIT back; all of them if you choose so, from Lisp by nil.
Your text stays in the record: with a prefix argument, take the last reset back."
  (interactive (list (if current-prefix-arg '(:undo t)
                       (tutor-lsp--unit "Put back" '("all" nil "  " "every stub there is")))))
  (tutor-lsp--ask "tutor.reset" unit))

(defun tutor-lsp-open (target)
  "Go to TARGET: lesson, stub, test or coach, of the unit that you are on."
  (interactive (list (tutor-lsp-pick "Go to" (mapcar (lambda (target) (list target target))
                                                     '("lesson" "stub" "test" "coach")))))
  (tutor-lsp--ask "tutor.open" (list :target target)))

(defun tutor-lsp-practise ()
  "Start an exercise on the error at point that another server or compiler reports."
  (interactive)
  (let ((codes (tutor-lsp-text-codes (flymake-diagnostics (point)))))
    (unless codes (user-error "There is no error with a code at point"))
    (tutor-lsp--ask "tutor.start" (list :errorCode (car codes)))))

(provide 'tutor-lsp)
;;; tutor-lsp.el ends here
