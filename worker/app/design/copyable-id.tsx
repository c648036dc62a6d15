/** An id that a click copies. */
export function CopyableId({ id }: { id: string }) {
  return (
    <button type="button" class="copyable" data-copy={id} title="Copy">
      {id}
    </button>
  )
}
