/** As much of the built client as these tests use: its own types need those of a browser or of Node. */
declare module 'spool-video' {
  type Answer = Promise<Record<string, unknown>>
  type Fetcher = (url: string, init: RequestInit) => Promise<Response>

  export class Spool {
    constructor(options: { apiKey: string; baseUrl: string; fetch: Fetcher })
    readonly videos: {
      create: (request: object) => Promise<{ videoId: string }>
      get: (videoId: string) => Answer
      list: (query: object) => { all: () => Promise<unknown[]> }
      rename: (videoId: string, videoName: string) => Answer
      cancel: (videoId: string) => Answer
      wait: (videoId: string) => Answer
      delete: (videoId: string) => Promise<void>
    }
    readonly webhooks: {
      secret: () => Promise<{ secret: string }>
      unwrap: (body: string, headers: object, options: { secret: string }) => Answer
    }
  }
}
