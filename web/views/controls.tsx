// Controls and results of forms that several pages use.
import type { ComponentChildren } from 'preact'

interface SelectProps<T extends string> {
  readonly label: ComponentChildren
  readonly value?: T
  readonly name?: string
  readonly class?: string
  readonly title?: string
  /** Values, or values with their texts. */
  readonly options: readonly (NoInfer<T> | readonly [value: NoInfer<T>, text: string])[]
  onChange?(value: NoInfer<T>): void
}

export const Select = <T extends string>({ label, value, name, options, onChange, ...rest }: SelectProps<T>) => (
  <label {...rest}>
    {label}
    <select name={name} value={value} onChange={(event) => onChange?.(event.currentTarget.value as T)}>
      {options
        .map((option) => (typeof option === 'string' ? ([option, option] as const) : option))
        .map(([one, text]) => (
          <option value={one} key={one}>
            {text}
          </option>
        ))}
    </select>
  </label>
)

export const Alert = ({ children }: { readonly children: ComponentChildren }) => (
  <p role="alert" class="problem-text">
    {children}
  </p>
)

/** Why a simulated rollout does not complete. */
export const Stuck = ({ reasons }: { readonly reasons: readonly string[] }) => (
  <>
    {reasons.map((reason) => (
      <p class="problem-text" key={reason}>
        {reason}
      </p>
    ))}
  </>
)

interface MeasureRow {
  readonly name: string
  readonly cells: readonly { readonly text: string; readonly class: string }[]
}

/** One row for each measure, one column for each rollout. */
export const MeasureTable = ({ columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly MeasureRow[] }) => (
  <div class="scroll">
    <table>
      <thead>
        <tr>
          {['Measure', ...columns].map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr key={name} data-measure={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={columns[index]} class={cell.class}>
                {cell.text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
