// The token of a server, and how a websocket carries it.

const KEY = "cdp-live-token";

/** The token, from the fragment of the address, where it does not stay, or from before a reload. */
export function readToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? "";
}

function hex(text) {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A websocket to the live view at this address. */
export function openFeed(address, token) {
  const url = new URL("/feed", address);
  url.protocol = "ws:";
  const socket = new WebSocket(url, ["cdp-live", `token.${hex(token)}`]);
  socket.binaryType = "arraybuffer";
  return socket;
}

/** Read a message with a picture: the length of its head, the head, a JPEG. */
export function readPicture(buffer) {
  const length = new DataView(buffer).getUint16(0);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 2, length)));
  return { head, jpeg: new Uint8Array(buffer, 2 + length) };
}
