;;; tutor-lsp-words.el --- The package's own texts  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Texts in the learner's language.  The server, which knows the translation,
;; sends it once; until then, and where there is none, they are English.

;;; Code:

(defvar tutor-lsp-words--known nil
  "Translations of this session by their English, a hash table, nil for none.")

(defun tutor-lsp-words-learn (texts)
  "Keep TEXTS, a plist from the English as a keyword to its translation."
  (setq tutor-lsp-words--known (make-hash-table :test #'equal))
  (while texts
    (puthash (substring (symbol-name (pop texts)) 1) (pop texts) tutor-lsp-words--known)))

(defun tutor-lsp-t (english &rest values)
  "The text ENGLISH in the learner's language.
VALUES is a plist for its {name} places."
  (let ((text (or (and tutor-lsp-words--known (gethash english tutor-lsp-words--known))
                  english)))
    (while values
      (let ((place (format "{%s}" (substring (symbol-name (pop values)) 1))))
        (setq text (string-replace place (format "%s" (pop values)) text))))
    text))

(defun tutor-lsp-marked (english)
  "ENGLISH, which `tutor-lsp-t' translates where it is shown.
By then there may be a server."
  english)

(provide 'tutor-lsp-words)
;;; tutor-lsp-words.el ends here
