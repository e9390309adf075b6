import pytest

pytest.importorskip("pyarrow")
