/* What the server tells the script (lessons/kit/web/server.py, `frame`). */
export const config = JSON.parse(document.getElementById("config").textContent);
