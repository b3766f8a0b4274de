import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_DAYS } from '../../../db/people/session-and-link-lifetimes.ts';

/**
 * A cookie that holds a secret: out of scripts' reach, not sent with what other sites' pages post.
 * Over https its name binds it to this host alone (`__Host-`); browsers refuse that name over plain
 * http, which is for loopback.
 */
export class SecretCookie {
  readonly #name: string;
  readonly #options: CookieSerializeOptions;

  constructor(publicUrl: string, name: string, maxAge: number) {
    const secure = publicUrl.startsWith('https:');
    this.#name = `${secure ? '__Host-' : ''}${name}`;
    this.#options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge };
  }

  read(request: FastifyRequest): string | undefined {
    return request.cookies[this.#name] || undefined;
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.#name, token, this.#options);
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#name, this.#options);
  }
}

/** The cookie of a session. */
export function sessionCookie(publicUrl: string): SecretCookie {
  return new SecretCookie(publicUrl, 'docent', SESSION_DAYS * 86_400);
}
