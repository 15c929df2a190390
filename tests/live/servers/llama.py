"""llama.cpp's own server of the OpenAI shape with SmolLM2: python llama.py WEIGHTS PORT [TEMPLATE OF CHATS]"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.model_alias = {"smollm2"}
settings.port = int(sys.argv[2])
settings.n_ctx = 2048
settings.n_parallel = 1
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
settings.cache_prompt = False
settings.ui = False
if sys.argv[3:]:
    settings.use_jinja, settings.chat_template = True, Path(sys.argv[3]).read_text("utf-8")
server = xllamacpp.Server(settings)  # listens from here on
signal.sigwait({signal.SIGTERM, signal.SIGINT})
