"""The playground: searches on a page of the browser and in notebooks (extra `play`).

`protocol` says what the server and the page tell each other; `page/` is the page.
"""
