/**
 * Of the one-time links, the token stands after `#`, which no browser sends to a server: it is in
 * no log.
 */
export function setupLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/setup#${token}`;
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/invitation#${token}`;
}

export function resetLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/reset#${token}`;
}

/** Where GitHub sends people back to: the App's callback URL and setup URL. */
export function gitHubCallback(publicUrl: string): string {
  return `${publicUrl}/dashboard/-/github`;
}

/** A job's page in the dashboard. */
export function jobLink(
  publicUrl: string,
  { organization, domain, jobId }: { organization: string; domain: string; jobId: string },
): string {
  return `${publicUrl}/dashboard/${organization}/${domain}/jobs/${jobId}`;
}
