import { askAboutChosen } from './videos/ask-about-chosen.ts'
import { chooseMany } from './videos/choose-many.ts'
import { followList } from './videos/follow-list.ts'
import { searchWhileTyping } from './videos/search-while-typing.ts'
import { forgetDone } from './page/forget-done.ts'

forgetDone()
chooseMany()
askAboutChosen()
searchWhileTyping()
followList()
