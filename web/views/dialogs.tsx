// What opens over the page: the log and the YAML of an object, and questions before a change.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pathOf } from '../data/resources.ts'
import { send } from '../session.ts'
import { Alert, Select } from './controls.tsx'

interface DialogProps {
  readonly title: string
  readonly class?: string
  readonly children: ComponentChildren
  onClose(): void
}

/** Modal: the browser keeps the focus in it, and Escape closes it. */
function Dialog({ title, children, onClose, class: extra = '' }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  // Before the browser paints: keys pressed from then on are for the dialog.
  useLayoutEffect(() => box.current?.showModal(), [])
  return (
    <dialog ref={box} class={`dialog ${extra}`} aria-label={title} onClose={onClose}>
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" onClick={() => box.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  )
}

/** Asks before something in the cluster changes. */
export function Confirmation(props: {
  readonly title: string
  readonly text: string
  readonly action: string
  run(): Promise<void>
  onClose(): void
}) {
  const { title, text, action, run, onClose } = props
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await run()
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} class="question" onClose={onClose}>
      <p>{text}</p>
      {problem !== '' && <Alert>Nothing was changed: {problem}</Alert>}
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void confirm()}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}

interface ShownObject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

const maxLines = 500

/** The log of a pod's containers, and the object as YAML. */
export function ObjectDialog({ object, onClose }: { readonly object: ShownObject; onClose(): void }) {
  const { kind, namespace, name } = object
  const [shown, setShown] = useState<'log' | 'yaml'>(kind === 'Pod' ? 'log' : 'yaml')
  const [containers, setContainers] = useState<readonly string[]>([])
  const [container, setContainer] = useState('')
  const [text, setText] = useState<string>()
  const [problem, setProblem] = useState('')
  const path = pathOf(kind, namespace, name)
  useEffect(() => {
    if (kind !== 'Pod') return
    send<{ readonly spec: Readonly<Record<string, readonly { readonly name: string }[] | undefined>> }>('GET', path).then(
      ({ spec }) => {
        const names = [...(spec['containers'] ?? []), ...(spec['initContainers'] ?? [])].map((one) => one.name)
        setContainers(names)
        setContainer(names[0] ?? '')
      },
      (error: Error) => setProblem(error.message),
    )
  }, [])
  useEffect(() => {
    if (shown === 'log' && container === '') return
    let isOver = false
    setText(undefined)
    setProblem('')
    const read =
      shown === 'log'
        ? send<string>('GET', `${path}/log?tailLines=${maxLines}&container=${encodeURIComponent(container)}`, undefined, { accept: '*/*' })
        : send<string>('GET', path, undefined, { accept: 'application/yaml' }).then(withoutManagedFields)
    read.then(
      (found) => !isOver && setText(found),
      (error: Error) => !isOver && setProblem(error.message),
    )
    return () => {
      isOver = true
    }
  }, [shown, container])
  return (
    <Dialog title={`${kind} ${name}`} onClose={onClose}>
      {kind === 'Pod' && (
        <div class="actions">
          <fieldset class="segmented">
            <legend class="visually-hidden">What is shown</legend>
            {(['log', 'yaml'] as const).map((one) => (
              <button type="button" key={one} aria-pressed={shown === one} onClick={() => setShown(one)}>
                {one === 'log' ? 'Log' : 'YAML'}
              </button>
            ))}
          </fieldset>
          {shown === 'log' && containers.length > 1 && (
            <Select label="Container" value={container} options={containers} onChange={setContainer} />
          )}
        </div>
      )}
      {problem !== '' ? (
        <Alert>{problem}</Alert>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text has to be reachable by keyboard
        <pre class="object-text" tabIndex={0} data-testid="object-text">
          {text === undefined ? 'Reading …' : text === '' ? (shown === 'log' ? 'The log is empty.' : '') : text}
        </pre>
      )}
    </Dialog>
  )
}

/** The block that says who wrote which field, as kubectl leaves it out. */
const withoutManagedFields = (yaml: string) => yaml.replace(/^ {2}managedFields:\n(?: {2}- .*\n| {4,}.*\n)*/m, '')
