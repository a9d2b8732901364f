"""Lessons in the files where an agent looks for its memory anyway (FIL), and out of them again.

section ← lesson_file ← plan (all of it pure) ← apply (reads, writes, keeps count of what is ours)
"""
