"""All engines need pyarrow."""

import pytest

pytest.importorskip("pyarrow", reason="the extra fasturl[arrow] is not installed")
