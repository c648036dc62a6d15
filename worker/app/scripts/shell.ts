import { closeMenus } from './page/close-menus.ts'
import { copyOnClick } from './page/copy-on-click.ts'
import { keepAges } from './page/keep-ages.ts'
import { listenForKeys } from './page/listen-for-keys.ts'
import { openDialogs } from './page/open-dialogs.ts'
import { showTabs } from './page/show-tabs.ts'
import { tellZone } from './page/tell-zone.ts'
import { watchConnection } from './page/watch-connection.ts'

closeMenus()
copyOnClick()
keepAges()
listenForKeys()
openDialogs()
showTabs()
tellZone()
watchConnection()
