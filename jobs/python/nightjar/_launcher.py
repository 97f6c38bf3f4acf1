"""Runs the nightjar command."""

import os
import pathlib
import shutil
import subprocess

_STOP_SECONDS = 10  # a command that was asked to end has this time to complete its output


class NightjarError(Exception):
    """A call without a result: a rejected history (code 3), wrong usage (64), a fault of nightjar (70), failed storage (75)."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def find_launcher():
    """Returns the path of the command: from NIGHTJAR, NIGHTJAR_HOME, the PATH, the wheel, or a folder above this package."""
    for variable, name in (("NIGHTJAR", ""), ("NIGHTJAR_HOME", "nightjar")):
        if os.environ.get(variable):
            launcher = os.path.join(os.environ[variable], name) if name else os.environ[variable]
            if _is_executable(launcher):
                return launcher
            raise FileNotFoundError(
                f"no launcher in {variable}: path={launcher}; set {variable} to the installed nightjar, or unset it")
    found = shutil.which("nightjar")
    if found:
        return found
    package = pathlib.Path(__file__).resolve().parent
    if (package / "home" / "nightjar").is_file():
        return str(package / "home" / "nightjar")
    for folder in package.parents:
        if _is_executable(folder / "nightjar") and (folder / "LICENSE").is_file():
            return str(folder / "nightjar")
    raise FileNotFoundError(
        "the nightjar command is not installed: install nightjar-<version>-py3-none-<system>.whl or"
        " nightjar_<version>_amd64.deb, or unpack nightjar-<version>-<platform>.tar.gz, then put nightjar on the PATH or set NIGHTJAR_HOME to its folder")


def _is_executable(path):
    return os.path.isfile(path) and os.access(path, os.X_OK)


def run(arguments, stdin=subprocess.DEVNULL):
    """Runs the command to its end; returns its exit code, output and messages. An interrupt also ends the command."""
    launcher = find_launcher()
    shell = [] if _is_executable(launcher) else ["bash"]  # pip makes a wheel's files readable only
    process = subprocess.Popen(
        [*shell, launcher, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", errors="replace")
    try:
        out, err = process.communicate()
    except BaseException:
        _stop(process)
        raise
    finally:
        process.stdout.close()
        process.stderr.close()
    return process.returncode, out, err


def _stop(process):
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()


def error(code, err):
    """Returns the exception for an exit code without a result."""
    lines = [line[len("nightjar: "):] if line.startswith("nightjar: ") else line for line in err.splitlines()]
    message = "\n".join(lines).strip()
    return NightjarError(message or f"nightjar ended without a message: code={code}", code)
