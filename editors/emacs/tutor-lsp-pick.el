;;; tutor-lsp-pick.el --- Choices and questions of the tutor  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The lists come from the server, with what picking a row runs.  They are shown
;; by `completing-read', the detail of a row beside its label; any part of a
;; label matches.

;;; Code:

(require 'tutor-lsp-client)
(require 'tutor-lsp-words)

(declare-function tutor-lsp--ask "tutor-lsp")
(declare-function tutor-lsp--uri "tutor-lsp")
(defvar tutor-lsp-language)

(defconst tutor-lsp-pick--interfaces
  '(vertico-mode fido-mode icomplete-mode mct-mode selectrum-mode)
  "Modes that show candidates by themselves and keep `completing-read-default'.")

;; What a package may say of its own category; the user's overrides win.
(add-to-list 'completion-category-defaults '(tutor-lsp (styles substring)))

(defun tutor-lsp-pick--named (rows)
  "ROWS by names that differ: labels, with details where two are alike."
  (let ((labels (mapcar (lambda (row) (plist-get row :label)) rows)) (seen nil))
    (mapcar (lambda (row)
              (let* ((label (plist-get row :label))
                     (name (if (member label (cdr (member label labels)))
                               (format "%s (%s)" label (plist-get row :detail))
                             label))
                     (times (cl-incf (alist-get name seen 0 nil #'equal))))
                (cons (if (> times 1) (format "%s<%d>" name times) name) row)))
            rows)))

(defun tutor-lsp-pick-table (named)
  "NAMED rows as a completion table in their order; names alone are matched."
  (let ((groups (delete-dups (mapcar (lambda (each) (plist-get (cdr each) :group)) named))))
    (lambda (text predicate action)
      (if (eq action 'metadata)
          `(metadata (category . tutor-lsp) (display-sort-function . identity)
                     (cycle-sort-function . identity)
                     (affixation-function
                      . ,(lambda (names) (tutor-lsp-pick--beside names named)))
                     ,@(and (cdr groups)
                            `((group-function
                               . ,(lambda (name transform)
                                    (if transform name
                                      (plist-get (cdr (assoc name named)) :group)))))))
        (complete-with-action action named text predicate)))))

(defun tutor-lsp-pick--beside (names named)
  "NAMES of NAMED rows, each followed by its detail."
  (let ((width (apply #'max 0 (mapcar #'string-width names))))
    (mapcar (lambda (name)
              (let ((detail (or (plist-get (cdr (assoc name named)) :detail) "")))
                (list name ""
                      (if (string-search detail name) ""
                        (concat (make-string (+ 2 (- width (string-width name))) ?\s) detail)))))
            names)))

(defun tutor-lsp-pick-read (prompt named &optional default)
  "The name of one of the NAMED rows, read with PROMPT, or DEFAULT.
The list is there at once, also where Emacs would wait for TAB."
  (let ((completion-ignore-case t)
        (completions-format 'one-column)
        (completions-group t)
        (waits (and (eq completing-read-function #'completing-read-default)
                    (not (seq-some (lambda (mode) (and (boundp mode) (symbol-value mode)))
                                   tutor-lsp-pick--interfaces)))))
    (minibuffer-with-setup-hook
        (:append (lambda () (when waits (tutor-lsp--silently #'minibuffer-completion-help))))
      (completing-read prompt (tutor-lsp-pick-table named) nil t nil nil default))))

(defun tutor-lsp-pick (prompt rows)
  "One of ROWS, chosen with PROMPT; the first if nothing is typed."
  (let* ((named (tutor-lsp-pick--named rows))
         (first (caar named)))
    (cdr (or (assoc (tutor-lsp-pick-read (format-prompt prompt first) named first) named)
             (user-error "%s" (tutor-lsp-t "Nothing was chosen"))))))

;;;; Questions of the server

(defmacro tutor-lsp--answered (&rest body)
  "The text from BODY in the minibuffer, nil if it is quit.
Also where another question is open."
  `(let* ((enable-recursive-minibuffers t)
          (answer (condition-case nil (progn ,@body) (quit nil))))
     (and answer (not (string-blank-p answer)) answer)))

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-peer) (_method (eql tutor/ask)) &key prompt)
  "Put the question PROMPT to the learner."
  (list :text (tutor-lsp--answered (read-string (concat prompt " ")))))

(cl-defmethod eglot-handle-request
  ((_server tutor-lsp-peer) (_method (eql window/showMessageRequest))
   &key message actions &allow-other-keys)
  "Ask MESSAGE, to be answered by one of ACTIONS: what to do with a plan."
  (let ((titles (mapcar (lambda (action) (plist-get action :title)) actions)))
    (when-let* ((chosen (tutor-lsp--answered
                         (tutor-lsp-pick-read (concat message " ") (mapcar #'list titles)))))
      (list :title chosen))))

;;;; Lists of the server

(defun tutor-lsp-pick-rows (argument)
  "The rows of the list named by ARGUMENT of tutor.choices."
  (append (tutor-lsp-execute-now "tutor.choices" argument) nil))

(defun tutor-lsp-pick-run (argument prompt &optional take-topic)
  "Choose from the list named by ARGUMENT of tutor.choices, and run the choice.
PROMPT is shown where the rows stand under several headings; it is English.
With TAKE-TOPIC, call it with the id of a topic instead of starting that."
  (let* ((rows (or (tutor-lsp-pick-rows argument)
                   (user-error "%s" (tutor-lsp-t
                                     "The list is empty: M-x tutor-lsp-start begins an exercise"))))
         (groups (delete-dups (mapcar (lambda (row) (plist-get row :group)) rows)))
         (row (if (and (null (cdr rows)) (equal (plist-get (car rows) :kind) "ask")) (car rows)
                (tutor-lsp-pick (if (cdr groups) (tutor-lsp-t prompt) (car groups)) rows)))
         (kind (plist-get row :kind))
         (command (plist-get row :command))
         (argument (plist-get row :argument)))
    (cond ((equal command "tutor.choices")
           (tutor-lsp-pick-run argument (plist-get row :label) take-topic))
          ((and take-topic (equal kind "topic")) (funcall take-topic (plist-get argument :node)))
          ((equal kind "ask")
           (tutor-lsp--ask command (tutor-lsp-pick--filled argument (plist-get row :detail))))
          (command (tutor-lsp--ask command argument)))))

(defun tutor-lsp-pick--filled (argument prompt)
  "ARGUMENT with what the learner answers to PROMPT where it is empty."
  (let ((answer (string-trim (read-string (concat prompt " ")))))
    (when (string-empty-p answer) (user-error "%s" (tutor-lsp-t "Nothing was typed")))
    (mapcar (lambda (item) (if (equal item "") answer item)) argument)))

(defun tutor-lsp-pick--list (name &optional language)
  "The argument for the list NAME, of LANGUAGE or the preferred one."
  (let ((language (or language tutor-lsp-language)))
    `(:list ,name ,@(and language (list :language language)))))

;;;###autoload
(defun tutor-lsp-start (&optional language)
  "Begin an exercise, chosen from a short list.
With LANGUAGE, from Lisp, the first recommendation."
  (interactive)
  (if language
      (tutor-lsp--ask "tutor.start" (list :language language))
    (tutor-lsp-pick-run (append (tutor-lsp-pick--list "start") (tutor-lsp--uri)) "Tutor")))

;;;###autoload
(defun tutor-lsp ()
  "Continue an exercise or start one, chosen from a short list."
  (interactive)
  (tutor-lsp-start))

;;;###autoload
(defun tutor-lsp-curriculum (&optional language)
  "Choose a topic of LANGUAGE to start."
  (interactive)
  (tutor-lsp-pick-run (tutor-lsp-pick--list "topics" language) (tutor-lsp-marked "Topics")))

;;;###autoload
(defun tutor-lsp-topic ()
  "Start an exercise on a topic in your own words."
  (interactive)
  (tutor-lsp-pick-run (tutor-lsp-pick--list "own") (tutor-lsp-marked "Topic")))

;;;###autoload
(defun tutor-lsp-sessions ()
  "Choose a session to resume."
  (interactive)
  (tutor-lsp-pick-run '(:list "sessions") (tutor-lsp-marked "Sessions")))

;;;###autoload
(defun tutor-lsp-resume ()
  "Resume the session that was used last."
  (interactive)
  (tutor-lsp--ask "tutor.resume"))

;;;###autoload
(defun tutor-lsp-claim (&optional forget)
  "\"I know this\": choose a topic that is no longer to be recommended.
With a prefix argument FORGET, take that back."
  (interactive "P")
  (tutor-lsp-pick-run '(:list "topics") (tutor-lsp-marked "I know this")
                      (lambda (node)
                        (tutor-lsp--ask "tutor.claim"
                                        (list :node node :known (if forget :json-false t))))))

(provide 'tutor-lsp-pick)
;;; tutor-lsp-pick.el ends here
