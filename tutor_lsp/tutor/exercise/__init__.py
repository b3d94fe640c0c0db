"""An exercise on the disk and in the editor: texts, copies, units, trust."""
