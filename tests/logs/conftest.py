import pytest

pytest.importorskip("pyarrow", reason="reading logs needs pyarrow")
