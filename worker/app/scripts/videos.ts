import { chooseMany, askAboutChosen } from './videos/choose-many.ts'
import { followList } from './videos/follow-list.ts'
import { searchWhileTyping } from './videos/search-while-typing.ts'
import { forgetDone } from './page/refresh.ts'

forgetDone()
chooseMany()
askAboutChosen()
searchWhileTyping()
followList()
