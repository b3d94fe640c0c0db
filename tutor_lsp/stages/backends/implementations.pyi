from tutor_lsp.stages.backends import claude as claude
from tutor_lsp.stages.backends import codex as codex
from tutor_lsp.stages.backends import editor as editor
from tutor_lsp.stages.backends import library as library
from tutor_lsp.stages.backends import openai as openai
from tutor_lsp.stages.backends import scripted as scripted
