/** Addresses of the one-time links. The token stands after `#`, which no browser sends to a server: it is in no log. */
export function setupLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/setup#${token}`;
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/invitation#${token}`;
}

export function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/reset#${token}`;
}
