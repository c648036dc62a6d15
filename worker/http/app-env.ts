import type { Context } from 'hono'
import type { Member, Caller } from '../contract/people/member.ts'
import type { RateWindow } from '../contract/rate-windows.ts'
import type { LiveAnswer } from '../durable/job/ask-progress.ts'
import type { Env } from '../settings.ts'
import type { ShownVideo } from '../store/tables/tables.ts'

/** What travels with a request through the middleware. Read it with `c.get`: `c.var` copies all of it every time. */
export type AppEnv = {
  Bindings: Env
  Variables: {
    requestId: string
    caller: Caller
    /** Who is signed in; only below /app. */
    member: Member | undefined
    /** The windows of that member's account; null for the default plan. */
    memberLimits: RateWindow[] | null | undefined
    /** The hash of the key that the request came with, valid or not. */
    keyHash: string | undefined
    /** Whether the request counts as part of an upload that was begun. */
    continuesUpload: true | undefined
    /** The row of the video, read while the gate is asked, if this isolate has lately seen the key accepted. */
    prefetchedVideo: Promise<ShownVideo | undefined> | undefined
    /** The answer of that video's job about its progress, asked for at the same time. */
    prefetchedProgress: { jobId: string; asked: Promise<LiveAnswer> } | undefined
    /** The error of this request for the log, even if the client is told little of it. */
    fault: unknown
  }
}

/** Serves a route. */
export type Handler = (c: Context<AppEnv>) => Response | Promise<Response>
