import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { asked, type Action } from './video-actions.ts'

/**
 * Asks for confirmation before the chosen videos are canceled or deleted. A script fills in which ones. The buttons send the
 * form with the id `list`.
 */
export function AskFirst() {
  return (
    <>
      <AskDialog action="cancel" />
      <AskDialog action="delete" />
    </>
  )
}

function AskDialog({ action }: { action: Action }) {
  const { title, ends, button } = asked[action]
  return (
    <Dialog
      id={`ask-${action}`}
      title={`${title} this video?`}
      keep={action === 'cancel' ? 'Keep it running' : undefined}
      confirm={
        <Button look="primary" form="list" name="action" value={`${action}-confirmed`}>
          <span data-button>{button}</span>
        </Button>
      }
    >
      <p data-names class="soft"></p>
      <p>{ends}</p>
    </Dialog>
  )
}
