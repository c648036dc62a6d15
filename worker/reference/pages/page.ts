/** A page, and the Content-Security-Policy that lets a browser show it. */
export type Page = { html: string; policy: string }
