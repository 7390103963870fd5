// What goes wrong in a page, from before its library is loaded.
window.complaints = [];
for (const kind of ['error', 'warn', 'assert']) {
  const native = console[kind];
  console[kind] = (...words) => {
    if (kind !== 'assert' || !words[0]) complaints.push(`console.${kind}: ${words.map(String).join(' ')}`);
    native.apply(console, words);
  };
}
addEventListener('error', event => {
  complaints.push(event.message ?? `not loaded: ${event.target.src ?? event.target.href}`);
}, true);
addEventListener('unhandledrejection', event => complaints.push(`unhandled: ${event.reason}`));
addEventListener('messageerror', () => complaints.push('a message that cannot be read'));
document.addEventListener('securitypolicyviolation', event => complaints.push(`refused: ${event.blockedURI}`));
