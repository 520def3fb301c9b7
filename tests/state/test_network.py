from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.errors import StateError
from memsleep.state import network
from memsleep.state.network import refuse_network_folder, unsafe_folder

MOUNTS = """\
/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/anna/disk ext4 rw 0 0
//nas/share /mnt/share cifs rw 0 0
anna@host: /mnt/ssh fuse.sshfs rw 0 0
overlay /mnt/layers fuse.fuse-overlayfs rw 0 0
drive /mnt/my\\040files 9p rw 0 0
remote: /mnt/cloud fuse.rclone rw 0 0
/dev/sdc /mnt/usb fuseblk rw 0 0
first /mnt/twice nfs rw 0 0
/dev/sdd /mnt/twice xfs rw 0 0
/dev/sde /mnt/again xfs rw 0 0
second /mnt/again smb3 rw 0 0
tmpfs /tmp tmpfs rw 0 0
broken line

"""

UNSAFE = [
    ("/home/anna/notes", "network file system (nfs4)"),
    ("/home", "network file system (nfs4)"),
    ("/mnt/share", "network file system (cifs)"),
    ("/mnt/share/deep/below", "network file system (cifs)"),
    ("/mnt/ssh/notes", "network file system (fuse.sshfs)"),
    ("/mnt/cloud", "network file system (fuse.rclone)"),
    ("/mnt/my files/notes", "network file system (9p)"),
    ("/mnt/again", "network file system (smb3)"),
    ("/data/Dropbox/notes", "synchronised folder (Dropbox)"),
    ("/data/OneDrive - Company/notes", "synchronised folder (OneDrive - Company)"),
    ("/data/Google Drive/x", "synchronised folder (Google Drive)"),
    ("/Users/a/Library/Mobile Documents/x", "synchronised folder (Mobile Documents)"),
]
SAFE = [
    "/",
    "/srv/notes",
    "/homestead/notes",
    "/mnt/sharez",
    "/home/anna/disk/notes",
    "/mnt/layers/notes",
    "/mnt/usb",
    "/mnt/twice",
    "/mnt/my",
    "/tmp/x",
    "/data/dropboxes/notes",
    "/data/my-dropbox-notes",
    "/data/nextcloud.md",
]


@pytest.mark.parametrize(("path", "reason"), UNSAFE)
def test_unsafe(path: str, reason: str) -> None:
    """Other machines' file systems and synchronised folders are told by type or name."""
    assert unsafe_folder(path, MOUNTS) == f"a {reason}"


@pytest.mark.parametrize("path", SAFE)
def test_safe(path: str) -> None:
    """Local disks are fine, also below or beside the others."""
    assert unsafe_folder(path, MOUNTS) is None


@pytest.mark.parametrize("path", ["/home/anna", "/mnt/share"])
def test_no_mounts(path: str) -> None:
    """Where the system does not say, only names can be judged."""
    assert unsafe_folder(path, "") is None


def test_refusal_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error holds the option to paste."""
    mounts = tmp_path / "mounts"
    mounts.write_bytes(f"nas:/ {tmp_path.resolve()} nfs rw 0 0\n".encode())
    monkeypatch.setattr(network, "_MOUNTS", mounts)
    (tmp_path / "corpus").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "corpus")
    with pytest.raises(StateError) as error:
        refuse_network_folder(tmp_path / "link")
    assert error.value.reference == "state-on-network"
    assert "--state-dir" in str(error.value.hint)


def test_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that does not exist yet is judged by where it would lie; no mounts, no refusal."""
    refuse_network_folder(tmp_path / "not" / "yet")
    monkeypatch.setattr(network, "_MOUNTS", tmp_path / "absent")
    refuse_network_folder(tmp_path)
