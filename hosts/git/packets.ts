/** Git's pkt-line framing: four hex digits of length (their own four included), then the bytes. */
export const flushPacket = Buffer.from('0000');

export function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}
