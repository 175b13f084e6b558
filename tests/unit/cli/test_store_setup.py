"""Which Redis a command gets: the configured one, a private one, or that of the service that runs already."""

from pathlib import Path

import pytest
import redis

from maththera.cli.store_setup import make_tables, stores
from maththera.runtime.embedded_redis import DirectoryInUse
from maththera.settings import Settings


def test_nobody_else_looks_into_a_new_data_directory(tmp_path: Path) -> None:
    make_tables(Settings(data_dir=tmp_path / "data"))
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_second_service_is_refused_and_a_player_joins(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    with stores(settings) as service:
        with pytest.raises(DirectoryInUse), stores(settings):
            pytest.fail("two services on one directory")
        with stores(settings, join=True) as player:
            assert player.redis_url == service.redis_url
        assert redis.Redis.from_url(service.redis_url or "").ping(), "the player's end is not the service's"


def test_a_player_alone_has_a_redis_of_its_own(tmp_path: Path) -> None:
    with stores(Settings(data_dir=tmp_path), join=True) as player:
        assert redis.Redis.from_url(player.redis_url or "").ping()


def test_a_configured_redis_that_is_down_is_said_in_one_line(
    tmp_path: Path, redis_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with stores(Settings(data_dir=tmp_path, redis_url=redis_url)):
        assert capsys.readouterr().err == ""
    with stores(Settings(data_dir=tmp_path, redis_url="redis://:hunter2@127.0.0.1:1")):
        said = capsys.readouterr().err
    assert said.startswith("MATHTHERA_REDIS_URL: no Redis answers (")
    assert said.count("\n") == 1
    assert "hunter2" not in said
