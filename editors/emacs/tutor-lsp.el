;;; tutor-lsp.el --- A coding tutor in your editor  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "30.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; With this folder in `load-path':
;;
;; (require 'tutor-lsp)
;; (tutor-lsp-global-mode 1)
;;
;; Then M-x tutor-lsp.  In an exercise what fails stands beneath your code each
;; time you save; C-c , and the menu "Tutor" have the commands, which work from
;; any buffer, C-c , , shows them all, and M-x eglot-code-actions offers those of
;; a stub.

;;; Code:

(require 'tutor-lsp-client)
(require 'tutor-lsp-exercise)
(require 'tutor-lsp-keys)
(require 'tutor-lsp-pick)
(require 'tutor-lsp-place)
(require 'tutor-lsp-text)
(require 'tutor-lsp-words)

(defcustom tutor-lsp-language nil
  "Language to prefer where none is named, such as \"python\"."
  :type '(choice (const nil) string)
  :group 'tutor-lsp)

(defcustom tutor-lsp-attach t
  "Whether to start the server when a file of an exercise is opened."
  :type 'boolean
  :group 'tutor-lsp)

(defvar tutor-lsp--started nil "Time of the requested start that has not finished yet.")
(defvar tutor-lsp--maker nil "The server that was asked for that start.")
(defvar tutor-lsp--opens-itself-s 5 "After a longer wait, an exercise does not open by itself.")

(defconst tutor-lsp--mode-line-item '(tutor-lsp-mode ((:eval (tutor-lsp-mode-line)) " "))
  "What the mode lines of exercises show, before what others add to them.")

;;;###autoload
(define-minor-mode tutor-lsp-global-mode
  "Connect files of exercises to the tutor."
  :global t
  :group 'tutor-lsp
  (pcase-dolist (`(,hook ,function . ,depth)
                 '((project-find-functions tutor-lsp-project-find -10)
                   (eglot-connect-hook tutor-lsp--connected)
                   (eglot-connect-hook tutor-lsp--attached 10)
                   (eglot-managed-mode-hook tutor-lsp--report-save)
                   (eglot-managed-mode-hook tutor-lsp--clear-failures)
                   (find-file-hook tutor-lsp--opened-file)))
    (if tutor-lsp-global-mode (apply #'add-hook hook function depth)
      (remove-hook hook function)))
  (setq-default mode-line-misc-info
                (remove tutor-lsp--mode-line-item (default-value 'mode-line-misc-info)))
  (if tutor-lsp-global-mode
      (progn (push tutor-lsp--mode-line-item (default-value 'mode-line-misc-info))
             (advice-add 'eglot-uri-to-path :filter-return #'tutor-lsp--decoded))
    (advice-remove 'eglot-uri-to-path #'tutor-lsp--decoded)))

(defun tutor-lsp--opened-file ()
  "Connect the buffer that was just opened if it belongs to an exercise."
  (when (tutor-lsp-root)
    (tutor-lsp-register)
    (tutor-lsp-mode 1)
    (setq tutor-lsp--folder (tutor-lsp-exercise-folder (tutor-lsp-root)))
    (add-hook 'after-save-hook #'tutor-lsp--note-save nil t)
    (when tutor-lsp-attach (tutor-lsp-attach))))

(defvar-local tutor-lsp--unreported nil "Whether a save came before Eglot was connected.")

(defun tutor-lsp--note-save ()
  "Take note of a save that no server hears of."
  (unless (eglot-managed-p) (setq tutor-lsp--unreported t)))

(defun tutor-lsp--report-save ()
  "Report a save of this buffer that came too early, so that it is run."
  (when (and tutor-lsp--unreported (eglot-managed-p)
             (cl-typep (eglot-current-server) 'tutor-lsp-server))
    (setq tutor-lsp--unreported nil)
    (jsonrpc-notify (eglot-current-server) :textDocument/didSave
                    (list :textDocument (list :uri (eglot-path-to-uri buffer-file-name))
                          :text (without-restriction (buffer-string))))))

(defun tutor-lsp--clear-failures ()
  "Show no failures in this buffer any more once Eglot has left it."
  (when (and (tutor-lsp-root) (not (eglot-managed-p))) (tutor-lsp-place-failures nil)))

(defun tutor-lsp-mode-line ()
  "The exercise's progress, for a mode line."
  (let* ((folder (or tutor-lsp--folder tutor-lsp--last))
         (said (tutor-lsp-exercise-kept tutor-lsp--standings folder))
         (focus (tutor-lsp-place-focus (tutor-lsp-exercise-kept tutor-lsp--units folder))))
    (concat (and said (concat "tutor: " said))
            (and said focus (not (equal (plist-get focus :state) "passing"))
                 (concat " ▶ " (plist-get focus :stub))))))

;;;; What the server sends

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/sessionReady)) &rest session)
  "Open the exercise of SESSION, or after a long wait announce it."
  (tutor-lsp--ready session))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/sessionFailed)) &key say &allow-other-keys)
  "Say why there is no exercise: SAY."
  (tutor-lsp--made)
  (tutor-lsp-text-tell say))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/unitsChanged))
   &key sessionId workspace units say &allow-other-keys)
  "Keep the states of the UNITS of session SESSIONID, and what to SAY of them.
In its WORKSPACE the lesson's section is marked."
  (tutor-lsp-exercise-learn sessionId workspace units)
  (setf (alist-get sessionId tutor-lsp--standings nil nil #'equal) (plist-get say :title))
  (tutor-lsp-place-follow workspace units)
  (force-mode-line-update t))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/testsRan))
   &key sessionId report say &allow-other-keys)
  "Keep the REPORT of the session SESSIONID, and what to SAY of it."
  (setf (alist-get sessionId tutor-lsp--reports nil nil #'equal) (cons report say)))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/reviewReady)) &key say &allow-other-keys)
  "Show the review in SAY, until the attempt's result with more."
  (tutor-lsp-text-whole say))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/hintReady)) &key say &allow-other-keys)
  "Show the hint in SAY, until a model's answer."
  (tutor-lsp-text-early say))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql tutor/texts)) &key texts &allow-other-keys)
  "Speak the learner's language from now on, by TEXTS."
  (tutor-lsp-words-learn texts))

(cl-defmethod eglot-handle-notification
  ((_server tutor-lsp-peer) (_method (eql window/showMessage)) &key message &allow-other-keys)
  "Say MESSAGE."
  (message "%s" message))

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
  (tutor-lsp-exercise-learn (plist-get session :sessionId) (plist-get session :workspace)
                            (plist-get session :units))
  (let ((waited (and tutor-lsp--started (float-time (time-since tutor-lsp--started)))))
    (tutor-lsp--made)
    (if (and waited (> waited tutor-lsp--opens-itself-s))
        (tutor-lsp-text-tell (plist-get session :say)
                             (concat "  " (tutor-lsp-t "M-x tutor-lsp-show opens it")))
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
  "Save the current exercise's modified files, so that what is seen is run."
  (when-let* ((root (tutor-lsp-exercise-here)))
    (save-some-buffers t (lambda () (and buffer-file-name
                                         (file-in-directory-p buffer-file-name root))))))

(defun tutor-lsp--uri (&optional last)
  "Argument for the exercise of this buffer, or before any was used of this folder.
With LAST, in other buffers that for the exercise last used."
  (if (tutor-lsp-root) (list :uri (eglot-path-to-uri buffer-file-name))
    (when-let* ((root (if tutor-lsp--last (and last tutor-lsp--last)
                        (tutor-lsp-root default-directory))))
      (list :uri (eglot-path-to-uri (expand-file-name "LESSON.md" root))))))

(defconst tutor-lsp--need-exercise
  '("tutor.check" "tutor.attempt" "tutor.hint" "tutor.next" "tutor.reveal" "tutor.reset"
    "tutor.restore" "tutor.open" "tutor.review" "tutor.compare" "tutor.ask")
  "Commands about an exercise: in its files they wait for Eglot to connect.")

(defun tutor-lsp--ask (command &optional argument)
  "Run COMMAND with ARGUMENT and show the result."
  (when-let* ((root (tutor-lsp-root))) (tutor-lsp-exercise-use root))
  (if (and (member command tutor-lsp--need-exercise) tutor-lsp-attach
           (not (eglot-current-server)) (tutor-lsp-attach))
      (push (lambda () (tutor-lsp--send command argument)) tutor-lsp--waiting)
    (tutor-lsp--send command argument)))

(defun tutor-lsp--send (command argument)
  "Save, run COMMAND with ARGUMENT, and show the result."
  (let* ((about (member command tutor-lsp--need-exercise))
         (argument (if (or (plist-member argument :session) (equal command "tutor.start")) argument
                     (append argument (tutor-lsp--uri about)))))
    (when about (tutor-lsp--save))
    (tutor-lsp-execute command argument
                       (lambda (result) (tutor-lsp--show command result))
                       (lambda (problem) (tutor-lsp--refused command argument problem))))
  (when (member command '("tutor.start" "tutor.next"))
    (setq tutor-lsp--started (current-time)
          tutor-lsp--maker (or (tutor-lsp-live-server) tutor-lsp--alone))))

(defun tutor-lsp--refused (command argument problem)
  "Say why COMMAND with ARGUMENT was refused: PROBLEM."
  (when (member command '("tutor.start" "tutor.next")) (tutor-lsp--made))
  (let ((message (plist-get problem :message))
        (details (plist-get (plist-get problem :data) :details)))
    (if (and (equal command "tutor.reveal") (plist-get details :confirm)
             (not (plist-get argument :confirm)))
        ;; Later: a question inside the process filter would hold all other answers.
        (run-at-time 0 nil (lambda ()
                             (when (y-or-n-p (concat message " " (tutor-lsp-t "Show it?") " "))
                               (tutor-lsp--ask command `(:confirm t ,@argument)))))
      (message "%s" message))))

(defun tutor-lsp--show (command result)
  "Show the RESULT of COMMAND in its place."
  (pcase command
    ("tutor.resume" (tutor-lsp--ready result))
    ("tutor.doctor" (tutor-lsp-ways-mend result))
    ("tutor.open" (tutor-lsp-place-visit (tutor-lsp-exercise-here) (plist-get result :file)
                                         (plist-get result :line)))
    (_ (pcase command
         ("tutor.compare"
          (unless (string-empty-p (plist-get result :diff))
            (ediff-files (plist-get result :yours) (plist-get result :reference))))
         ("tutor.report" (browse-url-of-file (plist-get result :path)))
         ("tutor.end" (setq tutor-lsp--session nil tutor-lsp--last nil))
         ((or "tutor.reset" "tutor.restore") (tutor-lsp--reread)))
       (tutor-lsp-text-show command result))))

(defun tutor-lsp--reread ()
  "Save files that the server edited, and reread those it wrote."
  (tutor-lsp--save)
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (tutor-lsp-root) (not (buffer-modified-p))
                 (not (verify-visited-file-modtime buffer)))
        (revert-buffer t t t)))))

(defun tutor-lsp-show ()
  "Show the exercise last opened: point in the stub, the lesson beside it."
  (interactive)
  (let ((root (or (plist-get tutor-lsp--session :workspace) (tutor-lsp-exercise-here))))
    (unless root
      (user-error "%s" (tutor-lsp-t
                        "No exercise is open: M-x tutor-lsp-start or M-x tutor-lsp-resume")))
    (tutor-lsp-exercise-use root)
    (tutor-lsp-place-show root (tutor-lsp-exercise-kept tutor-lsp--units tutor-lsp--last))
    (run-at-time 0 nil #'tutor-lsp--connect (current-buffer))))

(defun tutor-lsp--connect (buffer)
  "Let Eglot connect BUFFER now: it would wait for the next command.
An exercise that became ready was opened by none."
  (when (and (buffer-live-p buffer) tutor-lsp-attach)
    (with-current-buffer buffer
      (unless (eglot-managed-p) (run-hooks 'post-command-hook)))))

;;;; Commands

(defmacro tutor-lsp--defcommand (name doc)
  "Define tutor-lsp-NAME for the server's tutor.NAME, with DOC."
  (declare (indent defun))
  `(defun ,(intern (format "tutor-lsp-%s" name)) ()
     ,doc
     (interactive)
     (tutor-lsp--ask ,(format "tutor.%s" name))))

(tutor-lsp--defcommand next "End this exercise and start the next recommended one.")
(tutor-lsp--defcommand check "Run the tests now; this is never counted.")
(tutor-lsp--defcommand attempt "Run all tests, count it, and show a review.")
(tutor-lsp--defcommand review "Show the last review.")
(tutor-lsp--defcommand status "Show units, running jobs, and where exercises come from.")
(tutor-lsp--defcommand end "End the session.")
(tutor-lsp--defcommand report "Write your learning report and open it.")
(tutor-lsp--defcommand doctor "Show which tools work, and how to fix those that do not.")

(defun tutor-lsp-cancel ()
  "Cancel the running task.  Nothing half-made is left."
  (interactive)
  (tutor-lsp-execute "tutor.cancel" nil
                     (lambda (result) (tutor-lsp--show "tutor.cancel" result))
                     (lambda (problem) (tutor-lsp--refused "tutor.cancel" nil problem))
                     (and tutor-lsp--maker (jsonrpc-running-p tutor-lsp--maker)
                          tutor-lsp--maker)))

(defun tutor-lsp--unit (prompt &rest others)
  "A unit chosen with PROMPT, in English, as an argument; yours comes first.
OTHERS are further rows."
  (let* ((rows (tutor-lsp-pick-rows (append '(:list "units") (tutor-lsp--uri t))))
         (known (tutor-lsp-exercise-units))
         (here (or (plist-get (tutor-lsp--unit-at-point known) :unit)
                   (plist-get (tutor-lsp-place-focus known) :id)))
         (first (lambda (row) (equal (plist-get (plist-get row :argument) :unit) here)))
         (row (tutor-lsp-pick (tutor-lsp-t prompt) (append (seq-filter first rows) (seq-remove first rows)
                                             others)))
         (argument (plist-get row :argument)))
    (if (plist-get argument :unit) (list :unit (plist-get argument :unit)) argument)))

(defun tutor-lsp-hint ()
  "Show the next hint for the unit at point, else the one you are on."
  (interactive)
  (tutor-lsp-text-asked)
  (tutor-lsp--ask "tutor.hint" (tutor-lsp--position)))

(defun tutor-lsp-ask (question)
  "Ask QUESTION about your current code."
  (interactive (list (read-string (tutor-lsp-t "Your question: "))))
  (tutor-lsp-text-asked)
  (tutor-lsp--ask "tutor.hint" `(:question ,question ,@(tutor-lsp--position))))

(defun tutor-lsp--position ()
  "Argument for where point is: to Eglot's server the place, else the unit."
  (cond ((not (tutor-lsp-root)) nil)
        ((eglot-managed-p) (list :position (eglot--pos-to-lsp-position)))
        (t (tutor-lsp--unit-at-point (tutor-lsp-exercise-units)))))

(defun tutor-lsp--unit-at-point (units)
  "That of UNITS whose stub is the last above point, as an argument."
  (when-let* ((unit (car (tutor-lsp--units-before units)))) (list :unit (plist-get unit :id))))

(defun tutor-lsp--units-before (units)
  "Those of UNITS whose stubs are above point, the last first."
  (let* ((root (tutor-lsp-root))
         (line (line-number-at-pos nil t))
         (before (seq-filter (lambda (unit)
                               (and (<= (plist-get unit :line) line)
                                    (equal (expand-file-name (plist-get unit :file) root)
                                           buffer-file-name)))
                             units)))
    (nreverse (append before nil))))

(defun tutor-lsp-reveal (unit)
  "Show the solution of UNIT.  Ask first, unless it costs nothing by then."
  (interactive (list (tutor-lsp--unit (tutor-lsp-marked "Solution of"))))
  (tutor-lsp--ask "tutor.reveal" unit))

(defun tutor-lsp-compare (unit)
  "Show UNIT beside the reference, once it passes."
  (interactive (list (tutor-lsp--unit (tutor-lsp-marked "Compare"))))
  (tutor-lsp--ask "tutor.compare" unit))

(defun tutor-lsp-reset (argument)
  "Reset a unit to its stub, reset all of them, or undo the last reset.
From Lisp, ARGUMENT is that of the server's command, nil for all.  With a prefix
argument, undo the last reset without asking."
  (interactive
   (list (if current-prefix-arg '(:undo t)
           (tutor-lsp--unit
            (tutor-lsp-marked "Reset")
            (list :label (tutor-lsp-t "all") :detail (tutor-lsp-t "all stubs of this exercise")
                  :group (tutor-lsp-t "Others"))
            (list :label (tutor-lsp-t "undo")
                  :detail (tutor-lsp-t "what you had written before the last reset")
                  :group (tutor-lsp-t "Others") :argument '(:undo t))))))
  (tutor-lsp--ask "tutor.reset" argument))

(defun tutor-lsp-practise ()
  "Start an exercise on the error at point that another server or compiler reports."
  (interactive)
  (let ((codes (tutor-lsp-text-codes (flymake-diagnostics (point)))))
    (unless codes (user-error "%s" (tutor-lsp-t "There is no error with a code at point")))
    (tutor-lsp--ask "tutor.start" (list :errorCode (car codes)))))

(require 'tutor-lsp-ways)

(provide 'tutor-lsp)
;;; tutor-lsp.el ends here
