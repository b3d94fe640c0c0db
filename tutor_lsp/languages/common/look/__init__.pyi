from tutor_lsp.languages.common.look.again import looked_again as looked_again
from tutor_lsp.languages.common.look.marks import Marker as Marker
