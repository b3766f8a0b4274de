/** Git's pkt-line framing: four hex digits of length (their own four included), then the bytes. */
export const flushPacket = Buffer.from('0000');

export function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/**
 * The packets of a whole answer, without flush and delimiter packets. What does not parse ends the
 * list.
 */
export function packetsIn(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length) || at + length > bytes.length) break;
    if (length >= 4) packets.push(bytes.subarray(at + 4, at + length));
    at += Math.max(length, 4);
  }
  return packets;
}

/**
 * Whether an answer is whole packets up to a last flush packet. After the service's name comes the
 * list itself, with a flush packet of its own.
 */
export function endsWithFlush(bytes: Buffer): boolean {
  const isAnnounced = bytes.toString('latin1', 4, 14) === '# service=';
  let flushes = 0;
  let at = 0;
  let last = -1;
  while (at + 4 <= bytes.length) {
    last = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(last) || at + last > bytes.length) return false;
    if (last === 0) flushes += 1;
    at += Math.max(last, 4);
  }
  return at === bytes.length && last === 0 && flushes >= (isAnnounced ? 2 : 1);
}

export function packetText(bytes: Buffer): string {
  return bytes.toString('utf8').trimEnd();
}
