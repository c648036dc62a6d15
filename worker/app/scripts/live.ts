import { pollWhileVisible } from './page/poll-while-visible.ts'
import { refresh, forgetDone } from './page/refresh.ts'

forgetDone()

/** `data-live` on anything in the page says after how many seconds it is to be read again. */
pollWhileVisible({
  ask: refresh,
  nextMs: () => {
    const live = document.querySelector<HTMLElement>('[data-live]')
    return live ? Number(live.dataset['live']) * 1000 : undefined
  },
})
