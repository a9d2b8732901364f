"""What set-up needs to know of the machine, as values: so that planning touches nothing."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from remem_agents.folders import home_of


@dataclass(frozen=True)
class Machine:
    """A person's home, environment and platform (as in `sys.platform`), and what is there."""

    home: Path
    env: Mapping[str, str]
    platform: str
    exists: Callable[[Path], bool]
    which: Callable[[str], str | None]
    user: int = 0

    @classmethod
    def here(cls, env: Mapping[str, str]) -> "Machine":
        """Describe this machine."""
        return cls(
            home=home_of(env),
            env=env,
            platform=sys.platform,
            exists=os.path.lexists,
            which=lambda name: shutil.which(name, path=env.get("PATH")),
            user=os.getuid() if hasattr(os, "getuid") else 0,
        )

    def folder(self, variable: str, default: Path | str) -> Path:
        """Return the folder that a variable names, else one below the home."""
        given = self.env.get(variable)
        return Path(given).expanduser() if given else self.home / default

    @property
    def config(self) -> Path:
        """Where programs that follow XDG keep their configuration."""
        return self.folder("XDG_CONFIG_HOME", ".config")

    @property
    def app_data(self) -> Path:
        """Where Windows programs keep theirs."""
        return self.folder("APPDATA", "AppData/Roaming")

    @property
    def is_windows(self) -> bool:
        """Whether programs are started the way of Windows."""
        return self.platform == "win32"

    @property
    def is_mac(self) -> bool:
        """Whether folders lie where macOS has them."""
        return self.platform == "darwin"
