// The changes as text for a person: groups, sorted, with counts at the end. Pure.

const indent = (text) => `    ${text}`
const files = (list) => (list === undefined || list.length === 0 ? [] : list.map((one) => indent(`ours: ${one}`)))

function group(title, entries) {
  return entries.length === 0 ? [] : [`${title} (${entries.length})`, ...entries.flat().map((line) => `  ${line}`), '']
}

const maps = (title, { added, removed, changed }) => [
  ...group(
    `${title} added`,
    added.map(({ name, now, files: ours }) => [short(`${name}  ${now}`), ...files(ours)]),
  ),
  ...group(
    `${title} removed`,
    removed.map(({ name, before, files: ours }) => [short(`${name}  ${before}`), ...files(ours)]),
  ),
  ...group(
    `${title} changed`,
    changed.map(({ name, before, now, files: ours }) => [`${name}  ${before} → ${now}`, ...files(ours)]),
  ),
]

/** Discovery documents are long: the verbs are enough. */
const short = (text) => text.replace(/\s+\{.*$/, '')

const size = ({ gained, lost }) => `+${gained} -${lost}`

/** The first names of a list. */
const some = (list) => [...list.slice(0, 3), ...(list.length > 3 ? [`${list.length - 3} more`] : [])].join(', ')

function all({ from, to, resources, types, fields, gates, functions, named }) {
  return [
    `Kubernetes ${from} → ${to}`,
    '',
    ...maps('Resources', resources),
    ...group(
      'Types added',
      types.added.map(({ name, fields: lines }) => [name, ...lines.map(indent)]),
    ),
    ...group(
      'Types removed',
      types.removed.map(({ name }) => [name]),
    ),
    ...group(
      'Types in another version',
      types.moved.map(({ name, before }) => [`${before} → ${name}`]),
    ),
    ...group(
      'Fields added',
      fields.added.map(({ name, attributes }) => [`${name}  ${attributes.join(' ')}`]),
    ),
    ...group(
      'Fields removed',
      fields.removed.map(({ name }) => [name]),
    ),
    ...group(
      'Fields changed',
      fields.changed.map(({ name, lost, gained }) => [
        `${name}  ${[...lost.map((word) => `-${word}`), ...gained.map((word) => `+${word}`)].join(' ')}`,
      ]),
    ),
    ...maps('Feature gates', gates),
    ...group(
      'Named functions that were removed or moved',
      functions.removed.map(({ name, files: ours, successor, movedTo }) => [
        name,
        ...[...(successor ? [successor] : []), ...movedTo].map((one) => indent(`now ${one}?`)),
        ...files(ours),
      ]),
    ),
    ...group(
      'Named functions that changed, with lines gained and lost',
      functions.changed.map((one) => [`${one.name}  ${size(one)}`, ...files(one.files)]),
    ),
    ...group(
      'Functions that named ones use, and that changed or are new',
      functions.helpers.map((one) => [
        `${one.name}  ${one.isNew ? 'new' : size(one)}`,
        indent(`used by ${some(one.usedBy)}`),
        ...files(one.files),
      ]),
    ),
    ...group(
      `Named functions that are new in ${to}`,
      functions.added.map(({ name, files: ours }) => [name, ...files(ours)]),
    ),
    ...group(
      'New functions in the same files, that no rule names',
      functions.unnamed.map(({ name, source }) => [`${name}  ${source}`]),
    ),
    ...group(
      'Names that neither version has',
      functions.unknown.map(({ name, files: ours }) => [name, ...files(ours)]),
    ),
    ...counts({ resources, types, fields, gates, functions, named }),
    '',
  ].join('\n')
}

function counts({ resources, types, fields, gates, functions, named }) {
  const three = ({ added, removed, moved, changed }) =>
    [
      `${added.length} added`,
      `${removed.length} removed`,
      ...(moved ? [`${moved.length} in another version`] : []),
      ...(changed ? [`${changed.length} changed`] : []),
    ].join(', ')
  const { changed, helpers, removed, added, unknown, unnamed } = functions
  return [
    `resources: ${three(resources)}`,
    `types: ${three(types)}`,
    `fields: ${three(fields)}`,
    `feature gates: ${three(gates)}`,
    `functions that rules name: ${named}, of which ${changed.length} changed, ${removed.length} removed or moved, ${added.length} new, ${unknown.length} unknown`,
    `changed or new functions that they use: ${helpers.length}`,
    `new functions in their files: ${unnamed.length}`,
  ]
}

function packages(changes) {
  const lines = changes.flatMap(({ name, what, files: ours }) => [`${what.padEnd(8)} ${name}`, ...files(ours)])
  const count = (of) => changes.filter(({ what }) => what === of).length
  return [...lines, '', `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`, ''].join('\n')
}

export const format = { all, packages }
