"""Several machines, simulated on this one: two apps with one Redis behind assets/deploy/nginx.conf."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from gradio_client import Client
from playwright.sync_api import expect

from tests.api.test_jobs import ask, begin, until
from tests.bench import serve

DEPLOY = serve.ROOT / "assets" / "deploy"
NGINX = """
daemon off; pid {0}/nginx.pid; error_log {0}/error.log; events {{}}
http {{
    client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/f;
    uwsgi_temp_path {0}/u; scgi_temp_path {0}/s;
    access_log {0}/access.log; include {0}/seq2see.conf;
}}
"""


class Machines(NamedTuple):
    address: str
    apps: list[subprocess.Popen]


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, f"please install {name} (tests/run does)"
    return found


@pytest.fixture
def machines(tmp_path: Path, monkeypatch) -> Iterator[Machines]:
    one, two, redis, front = (serve.free_port() for _ in range(4))
    ports = {
        "10.0.0.11:7860": f"127.0.0.1:{one}",
        "10.0.0.12:7860": f"127.0.0.1:{two}",
        "listen 80;": f"listen 127.0.0.1:{front};",
    }
    conf = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    (tmp_path / "seq2see.conf").write_text(
        re.sub("|".join(map(re.escape, ports)), lambda found: ports[found[0]], conf)
    )
    (tmp_path / "nginx.conf").write_text(NGINX.format(tmp_path))
    monkeypatch.setitem(serve.ENVIRONMENT, "SEQ2SEE_STORE", f"redis://127.0.0.1:{redis}/0")
    with ExitStack() as running:
        start = [
            program("redis-server"),
            "--port",
            str(redis),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(tmp_path),
        ]
        running.enter_context(serve.run_process(start))
        commands = [serve.command("tests.toy", port) for port in (one, two)]
        apps = [running.enter_context(serve.run_process(command)) for command in commands]
        running.enter_context(
            serve.run_process([program("nginx"), "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")])
        )
        for app, port in zip(apps, (one, two), strict=True):
            serve.wait_for_first_page(app, port)
        yield Machines(f"http://127.0.0.1:{front}", apps)


def test_a_machine_is_lost_and_the_class_goes_on(machines, page):
    site, (first, _) = machines
    page.goto(f"{site}/toy")
    reading, scale = page.locator("#toy-sizes-reading"), page.locator("#toy-sizes-scale input[type=range]")
    scale.fill("0.5")
    expect(reading).to_contain_text("worth 0.15")
    id = begin(site, "early")  # both machines can report the progress of the job
    assert all(ask(f"{site}/work/{id}/progress")[0] == 200 for _ in range(6))
    assert Client(site, verbose=False, httpx_kwargs={"timeout": 60}).predict(
        words="both", api_name="/toy_sizes"
    )["words"] == ["both"]

    # job processes, which have a session of their own
    jobs = Path(f"/proc/{first.pid}/task").glob("*/children")
    groups = [int(process) for found in jobs for process in found.read_text().split()]
    first.send_signal(signal.SIGKILL)
    first.wait()
    for group in groups:  # a machine is lost with its job processes: none of them may take the next job
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    for value in (0.7, 0.9, 1.1, 1.3):
        scale.fill(str(value))
        expect(reading).to_contain_text(f"worth {0.3 * value:.2f}")
    page.goto(f"{site}/toy?scale=0.4")
    expect(reading).to_contain_text("worth 0.12")
    assert until(site, begin(site, "late"), lambda told: told["state"] == "done")["share"] == 1
    assert Client(site, verbose=False, httpx_kwargs={"timeout": 60}).predict(
        words="one", api_name="/toy_sizes"
    )["words"] == ["one"]


def test_what_is_deployed_is_what_is_here():
    """Versions and paths in assets/deploy must match the project, because the tests build no images."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    readme = (serve.ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        re.search(r"FROM python:([\d.]+)", docker)[1] == re.search(r'python_version: "([\d.]+)"', readme)[1]
    )
    assert (
        re.search(r"redis==\S+", docker)[0]
        in (serve.ROOT / "tests" / "requirements.txt").read_text(encoding="utf-8").split()
    )
    assert all((serve.ROOT / path).exists() for path in re.findall(r"^COPY (\S+)", docker, re.MULTILINE))
    manifest = {
        (part["kind"], part["metadata"]["name"]): part
        for part in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
    }
    assert {kind for kind, _ in manifest} == {"Deployment", "Service", "HorizontalPodAutoscaler"}
    [pod] = manifest["Deployment", "seq2see"]["spec"]["template"]["spec"]["containers"]
    variables = {variable["name"]: variable for variable in pod["env"]}
    store = re.fullmatch(
        r"redis://:\$\(REDIS_PASSWORD\)@([\w-]+):(\d+)/0", variables["SEQ2SEE_STORE"]["value"]
    )
    [redis] = manifest["Deployment", store[1]]["spec"]["template"]["spec"]["containers"]
    assert redis["env"] == [variables["REDIS_PASSWORD"]]
    assert redis["args"][-4:] == ["--maxmemory-policy", "noeviction", "--requirepass", "$(REDIS_PASSWORD)"]
    assert manifest["Service", store[1]]["spec"]["ports"] == [{"port": int(store[2])}]
    port = int(re.search(r"GRADIO_SERVER_PORT=(\d+)", docker)[1])
    assert pod["ports"] == [{"containerPort": port}]
    assert manifest["Service", "seq2see"]["spec"]["ports"][0]["targetPort"] == port
