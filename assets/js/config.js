/* Configuration that the server writes into the page (lessons/kit/web/server.py, `frame`). */
export const config = JSON.parse(document.getElementById("config").textContent);
