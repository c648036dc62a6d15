import { pollWhileVisible } from './page/poll-while-visible.ts'
import { refresh, forgetDone } from './page/refresh.ts'

forgetDone()

/** `data-live` on any element says after how many seconds the page is read again. */
pollWhileVisible({
  ask: refresh,
  nextMs: () => {
    const live = document.querySelector<HTMLElement>('[data-live]')
    return live ? Number(live.dataset['live']) * 1000 : undefined
  },
})
