"""Configurations as people have them, made up after real ones: what each home holds at first.

Every function takes a home and fills it; a dictionary that it returns says which host must refuse
and why. All others must be set up.
"""

from collections.abc import Callable
from typing import Final

from homes import Home

Refusals = dict[str, str]
CLAUDE: Final = ".claude/settings.json"
CODEX: Final = ".codex/config.toml"
GEMINI: Final = ".gemini/settings.json"
GOOSE: Final = ".config/goose/config.yaml"

SETTINGS: Final = """{
  "model": "large",
  "permissions": {
    "allow": ["Bash(git status)", "Read(~/notes/**)"],
    "deny": []
  },
  "env": {"EDITOR": "vim"},
  "cleanupPeriodDays": 90
}
"""
OTHERS_HOOKS: Final = """{
  "hooks": {
    "PostToolUse": [
      {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "gofmt -w ."}]}
    ],
    "Stop": [
      {
        "hooks": [
          { "type": "command", "command": "notify-send done", "timeout": 3 }
        ]
      }
    ],
    "PreToolUse": []
  },
  "alwaysThinkingEnabled": true
}
"""
# Codex takes no other key beside `hooks`.
CODEX_HOOKS: Final = """{
  "hooks": {
    "Stop": [
      {"hooks": [{ "type": "command", "command": "notify-send done", "timeout": 3 }]}
    ],
    "PreToolUse": []
  }
}
"""
COMMENTED: Final = """// Sam's settings
{
    /* the big one,
       except on trains */
    "model": "large", // not "small"
    "hooks": {
        // nothing yet
    },
    "env": { "URL": "http://example.org/*not a comment*/" }, // last
}
"""
TOML: Final = """# Sam's Codex
model = "gpt-5-codex"   # the good one
approval_policy = "on-request"

[mcp_servers.notes]
command = "npx"
args = ["-y", "notes-mcp"]   # keep
env = { TOKEN = "t" }

[profiles.fast]
model = "gpt-5-mini"

[projects."/home/sam/code/harbour"]
trust_level = "trusted"
"""
YAML: Final = """# goose
GOOSE_PROVIDER: openai
GOOSE_MODEL: gpt-5   # for now

extensions:
  # built in
  developer:
    enabled: true
    type: builtin
    name: developer
    timeout: 300

  fetch:
    cmd: uvx
    args: [mcp-fetch]
    type: stdio
    enabled: false
GOOSE_MODE: smart_approve
"""


def claude_folder_alone(home: Home) -> None:
    (home.folder / ".claude").mkdir()


def claude_state_alone(home: Home) -> None:
    home.write(".claude.json", '{"numStartups": 1}', mode=0o600)


def claude_empty_files(home: Home) -> None:
    home.write(CLAUDE, "")
    home.write(".claude.json", "\n", mode=0o600)


def claude_empty_object(home: Home) -> None:
    home.write(CLAUDE, "{}")
    home.write(".claude.json", "{ }\n")


def claude_usual(home: Home) -> None:
    home.write(CLAUDE, SETTINGS, mode=0o644)


def claude_private(home: Home) -> None:
    home.write(CLAUDE, SETTINGS, mode=0o600)


def claude_tabs(home: Home) -> None:
    home.write(CLAUDE, SETTINGS.replace("  ", "\t"))


def claude_odd_indentation(home: Home) -> None:
    home.write(CLAUDE, '{\n "model" : "large"\n     , "env" :\n   { "A":"b" }\n\n}\n\n\n')


def claude_windows_line_ends(home: Home) -> None:
    home.write(CLAUDE, OTHERS_HOOKS.replace("\n", "\r\n"))


def claude_byte_order_mark(home: Home) -> None:
    home.write(CLAUDE, b"\xef\xbb\xbf" + SETTINGS.encode())


def claude_byte_order_mark_and_windows_line_ends(home: Home) -> None:
    home.write(CLAUDE, b"\xef\xbb\xbf" + SETTINGS.replace("\n", "\r\n").encode())


def claude_comments_and_trailing_commas(home: Home) -> None:
    home.write(CLAUDE, COMMENTED)


def claude_one_line(home: Home) -> None:
    home.write(CLAUDE, '{"model":"large","hooks":{"Stop":[]},"env":{"A":"b"}}')


def claude_no_newline_at_the_end(home: Home) -> None:
    home.write(CLAUDE, SETTINGS.rstrip("\n"))


def claude_hooks_of_others(home: Home) -> None:
    home.write(CLAUDE, OTHERS_HOOKS)


def claude_large_state(home: Home) -> None:
    projects = ",\n".join(
        f'    "/home/sam/code/p{n}": {{"history": [{{"display": "fix {n}"}}], "mcpServers": {{}}}}'
        for n in range(400)
    )
    servers = '"mcpServers": {"notes": {"type": "stdio", "command": "notes", "args": []}}'
    home.write(
        ".claude.json", f'{{\n  {servers},\n  "projects": {{\n{projects}\n  }}\n}}', mode=0o600
    )


def claude_foreign_letters_and_escapes(home: Home) -> None:
    home.write(CLAUDE, '{"env": {"GRÜẞE": "\\u00e9\\n😀", "\\ud83d": "//", "x": 1E2, "y": -0.0}}\n')


def claude_key_twice_elsewhere(home: Home) -> None:
    home.write(CLAUDE, '{\n  "model": "a",\n  "env": {},\n  "model": "b"\n}\n')


def claude_key_twice_on_our_way(home: Home) -> Refusals:
    home.write(CLAUDE, '{\n  "hooks": {},\n  "hooks": {"Stop": []}\n}\n')
    return {"claude-code": "ambiguous"}


def claude_cut_off(home: Home) -> Refusals:
    home.write(CLAUDE, SETTINGS[:90])
    home.write(CODEX, TOML)
    return {"claude-code": "unreadable"}


def claude_merge_conflict(home: Home) -> Refusals:
    home.write(CLAUDE, "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> work\n")
    return {"claude-code": "unreadable"}


def claude_latin_1(home: Home) -> Refusals:
    home.write(CLAUDE, b'{"env": {"NAME": "Jos\xe9"}}\n')
    return {"claude-code": "unreadable"}


def claude_hooks_are_a_list(home: Home) -> Refusals:
    home.write(CLAUDE, '{"hooks": [{"event": "Stop", "command": "x"}]}\n')
    return {"claude-code": "shape"}


def claude_read_only(home: Home) -> Refusals:
    home.write(CLAUDE, SETTINGS, mode=0o444)
    return {"claude-code": "read-only"}


def claude_folder_in_place_of_a_file(home: Home) -> Refusals:
    (home.folder / CLAUDE).mkdir(parents=True)
    return {"claude-code": "unreachable"}


def claude_loop_of_links(home: Home) -> Refusals:
    home.link(CLAUDE, "settings.json")
    return {"claude-code": "unreachable"}


def claude_linked_file(home: Home) -> None:
    home.write("dotfiles/claude/settings.json", COMMENTED)
    home.link(CLAUDE, "../dotfiles/claude/settings.json")


def claude_linked_folder(home: Home) -> None:
    home.write("dotfiles/claude/settings.json", SETTINGS, mode=0o640)
    home.link(".claude", "dotfiles/claude")


def claude_link_to_a_file_not_yet_there(home: Home) -> None:
    (home.folder / "dotfiles").mkdir()
    home.link(CLAUDE, "../dotfiles/settings.json")


def claude_elsewhere(home: Home) -> None:
    home.env["CLAUDE_CONFIG_DIR"] = str(home.folder / "work" / "claude")
    home.write("work/claude/settings.json", OTHERS_HOOKS)
    home.write("work/claude/.claude.json", '{"userID": "u"}', mode=0o600)
    home.write(CLAUDE, "not even read")


def claude_another_remem(home: Home) -> Refusals:
    theirs = '{"mcpServers": {"remem": {"command": "npx", "args": ["-y", "remem-cloud"]}}}'
    home.write(".claude.json", theirs)
    return {"claude-code": "taken"}


def codex_usual(home: Home) -> None:
    home.write(CODEX, TOML, mode=0o600)


def codex_empty(home: Home) -> None:
    home.write(CODEX, "")


def codex_comments_alone_and_no_newline(home: Home) -> None:
    home.write(CODEX, "# nothing here yet")


def codex_inline_servers(home: Home) -> None:
    home.write(CODEX, 'model = "x"\nmcp_servers = { notes = { command = "n" } } # mine\n')


def codex_dotted_servers(home: Home) -> None:
    home.write(CODEX, 'mcp_servers.notes.command = "n"\nmcp_servers.notes.args = []\n')


def codex_windows_line_ends_and_tables_apart(home: Home) -> None:
    text = TOML + '\n[mcp_servers.search]\ncommand = "s"\n\n[[hooks.Stop]]\nmatcher = ""\n'
    home.write(CODEX, text.replace("\n", "\r\n"))


def codex_hooks_of_others(home: Home) -> None:
    home.write(CODEX, TOML)
    home.write(".codex/hooks.json", CODEX_HOOKS)


def codex_broken(home: Home) -> Refusals:
    home.write(CODEX, TOML + "[mcp_servers.notes]\n")
    return {"codex": "unreadable"}


def codex_elsewhere_and_nested(home: Home) -> None:
    home.env["CODEX_HOME"] = str(home.folder / "work" / "codex")
    (home.folder / "work" / "codex").mkdir(parents=True)


def gemini_usual(home: Home) -> None:
    home.write(
        GEMINI,
        '{\n  "security": {"auth": {"selectedType": "oauth"}},\n  "mcpServers": {\n'
        '    "notes": {"command": "notes", "trust": true}\n  },\n  "ui": {"theme": "Dark"}\n}\n',
    )


def gemini_comments(home: Home) -> None:
    # Comments it takes, trailing commas it doesn't (0.61).
    plain = (
        COMMENTED.replace("},", "}").replace("}  //", "} //").replace("yet\n    }", "yet\n    },")
    )
    home.write(GEMINI, plain.replace("\n", "\r\n"))


def cursor_servers_of_others(home: Home) -> None:
    home.write(".cursor/mcp.json", '{"mcpServers": {"db": {"command": "db-mcp", "args": []}}}')


def windsurf_new(home: Home) -> None:
    (home.folder / ".codeium" / "windsurf").mkdir(parents=True)


def vs_code_without_a_copilot_folder(home: Home) -> None:
    (home.folder / ".config" / "Code" / "User").mkdir(parents=True)


def claude_desktop_usual(home: Home) -> None:
    home.write(
        ".config/Claude/claude_desktop_config.json", '{\n  "globalShortcut": "Ctrl+Space"\n}'
    )


def opencode_commented(home: Home) -> None:
    home.write(
        ".config/opencode/opencode.jsonc",
        '{\n  "$schema": "https://opencode.ai/config.json", // for the editor\n  "mcp": {},\n}\n',
    )


def zed_long_header(home: Home) -> None:
    home.write(
        ".config/zed/settings.json",
        '// Zed settings\n//\n// For a list, see the documentation.\n{\n  "ui_font_size": 16,\n'
        '  "context_servers": {\n    "notes": { "source": "custom", "command": "n" },\n  },\n'
        '  "theme": {\n    "mode": "system",\n  },\n}\n',
    )


def goose_usual(home: Home) -> None:
    home.write(GOOSE, YAML)


def goose_new(home: Home) -> None:
    (home.folder / ".config" / "goose").mkdir(parents=True)


def goose_no_extensions_and_no_newline(home: Home) -> None:
    home.write(GOOSE, "GOOSE_MODEL: gpt-5 # now")


def goose_extensions_empty(home: Home) -> None:
    home.write(GOOSE, "extensions: {}   # none\nGOOSE_MODEL: gpt-5\n")


def goose_extensions_null(home: Home) -> None:
    home.write(GOOSE, "extensions:\nGOOSE_MODEL: gpt-5\n")


def goose_extensions_on_one_line(home: Home) -> None:
    home.write(GOOSE, "extensions: {dev: {enabled: true}}\nGOOSE_MODEL: gpt-5\n")


def goose_windows_line_ends(home: Home) -> None:
    home.write(GOOSE, YAML.replace("\n", "\r\n"))


def goose_all_on_one_line(home: Home) -> Refusals:
    home.write(GOOSE, "{GOOSE_MODEL: gpt-5}\n")
    cursor_servers_of_others(home)
    return {"goose": "shape"}


def goose_tabs(home: Home) -> Refusals:
    home.write(GOOSE, "extensions:\n\tdev:\n\t\tenabled: true\n")
    cursor_servers_of_others(home)
    return {"goose": "unreadable"}


def everything_at_once(home: Home) -> None:
    for fill in (claude_hooks_of_others, codex_hooks_of_others, gemini_comments, goose_usual):
        fill(home)
    for fill in (zed_long_header, opencode_commented, cursor_servers_of_others, windsurf_new):
        fill(home)


CONFIGURATIONS: Final[dict[str, Callable[[Home], Refusals | None]]] = {
    name: fill
    for name, fill in list(globals().items())
    if callable(fill) and getattr(fill, "__module__", "") == __name__
}
