import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_DAYS } from '../../../db/people/session-and-link-lifetimes.ts';

/**
 * A cookie that holds a secret: out of scripts' reach, not sent with what other sites' pages post.
 * Over https its name binds it to this host alone (`__Host-`); browsers refuse that name over plain
 * http, which is for loopback.
 */
export class SecretCookie {
  readonly #name: string;
  readonly #seconds: number;
  readonly #attributes: string;

  constructor(publicUrl: string, name: string, seconds: number) {
    const secure = publicUrl.startsWith('https:');
    this.#name = `${secure ? '__Host-' : ''}${name}`;
    this.#seconds = seconds;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  read(request: FastifyRequest): string | undefined {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2);
      if (name === this.#name && value) return value;
    }
    return undefined;
  }

  set(reply: FastifyReply, token: string): void {
    reply.header(
      'set-cookie',
      `${this.#name}=${token}; Max-Age=${this.#seconds}; ${this.#attributes}`,
    );
  }

  clear(reply: FastifyReply): void {
    reply.header('set-cookie', `${this.#name}=; Max-Age=0; ${this.#attributes}`);
  }
}

/** The cookie of a session. */
export function sessionCookie(publicUrl: string): SecretCookie {
  return new SecretCookie(publicUrl, 'docent', SESSION_DAYS * 86_400);
}
