// The other half of the card table: everything that is drawn.
class Table extends Moves {
  draw() {
    const focused = (this.home.activeElement ?? null)?.dataset?.key
    const data = this.data
    const table = element("div", `table ${data.size} ${data.dark ? "dark" : ""}`)
    const seats = data.seats.map((seat, i) => this.drawSeat(seat, i))
    const first = element("div", "seats")
    table.append(first)
    if (data.tray) {
      // Own cards stand together; the others come after them.
      const others = element("div", "seats others")
      first.append(seats[0])
      others.append(...seats.slice(1))
      table.append(this.drawTray())
      if (seats.length > 1) table.append(others)
    } else first.append(...seats)
    if (data.deck) table.append(this.drawDeck())
    if (data.hint) table.append(element("p", "hint", data.hint))
    this.root.replaceChildren(table)
    if (focused) this.focus(focused)
  }

  focus(key) {
    const all = [...this.root.querySelectorAll("button:not(:disabled)")]
    const next = all.find(button => button.dataset.key === key) ?? all.find(button => button.closest(".tray")) ?? all[0]
    next?.focus({preventScroll: true})
  }

  button(kind, key, label, press, isPressed) {
    const made = element("button", kind)
    made.type = "button"
    made.dataset.key = key
    made.setAttribute("aria-label", label)
    if (isPressed !== undefined) made.setAttribute("aria-pressed", isPressed)
    made.onclick = press
    made.disabled = Boolean(this.data.disabled)
    return made
  }

  drawCard(card, kind, press, label) {
    const isKnown = card in FACES
    const name = label ?? (isKnown ? NAMES[card] : "hidden card")
    const chosen = this.chosen === card && isKnown
    const classes = ["card", kind, isKnown ? "" : "back", chosen ? "chosen" : ""].filter(Boolean).join(" ")
    const made = press ? this.button(classes, `card:${card}`, name, press, chosen) : element("span", classes)
    if (!press) {
      made.setAttribute("role", "img")
      made.setAttribute("aria-label", name)
    }
    if (isKnown) made.innerHTML = FACES[card]
    return made
  }

  drawSlot(target, number) {
    const legal = this.chosen && this.isLegal(this.chosen, target)
    const editable = this.builds && (target.kind === "tray" || this.data.seats[target.seat].edit)
    if (!legal && !editable) {
      const made = element("span", "slot")
      made.setAttribute("role", "img")
      made.setAttribute("aria-label", "open slot")
      return made
    }
    const active = JSON.stringify(this.active) === JSON.stringify(target)
    const place = this.where(target)
    const label = legal ? `Put ${NAMES[this.chosen]}: ${place}` : `Open slot: ${place}`
    const key = `slot:${target.kind}:${target.seat}:${target.row}:${number}`
    const made = this.button(`slot ${legal ? "legal" : active ? "active" : ""}`, key, label, () => this.pickSlot(target), active)
    // One stop per row is enough for the tabulator; the others are for the pointer.
    if (number) made.tabIndex = -1
    return made
  }

  drawSeat(seat, i) {
    const made = element("section", `seat ${seat.size ?? ""}`)
    made.setAttribute("aria-label", seat.name || `seat ${i + 1}`)
    const head = element("header")
    if (seat.name) head.append(element("b", "", seat.name))
    if (seat.note) head.append(element("span", "note", seat.note))
    if (seat.pill) head.append(element("span", `pill ${seat.tone ?? ""}`, seat.pill))
    made.append(head)
    ROWS.forEach((name, row) => made.append(this.drawRow(seat, i, name, row)))
    const {discards} = this.position.seats[i]
    if (discards.length || seat.hidden || seat.discard_slots) made.append(this.drawDiscards(seat, i, discards))
    return made
  }

  drawRow(seat, i, name, row) {
    const line = element("div", "line")
    const slots = element("div", "slots")
    slots.setAttribute("role", "group")
    slots.setAttribute("aria-label", name)
    const fixed = this.position.seats[i].rows[row]
    const held = this.held(i, row)
    for (const card of held) {
      const isDraft = !fixed.includes(card)
      const kind = isDraft ? "draft" : seat.fresh.includes(card) ? "fresh" : ""
      const can = !this.data.disabled && (isDraft || (this.builds && seat.edit))
      const label = isDraft ? `${NAMES[card]}, draft, ${name.toLowerCase()}` : undefined
      const press = isDraft && !this.builds ? () => this.takeBack(card) : () => this.choose(card)
      slots.append(this.drawCard(card, kind, can ? press : null, label))
    }
    for (let n = held.length; n < SIZES[row]; n++) {
      slots.append(seat.closed ? this.drawCard("", "") : this.drawSlot({kind: "row", seat: i, row}, n - held.length))
    }
    const beside = element("div", "beside")
    const [told, royalty] = seat.labels[row] ?? ["", ""]
    beside.append(element("b", "", name), element("span", "made", told))
    if (royalty) beside.append(element("span", "royalty", ` ${royalty}`))
    line.append(slots, beside)
    return line
  }

  drawDiscards(seat, i, discards) {
    const thrown = element("div", "thrown")
    thrown.append(element("span", "", seat.hidden && !discards.length ? "Discards, hidden" : "Discards"))
    for (const card of discards) {
      thrown.append(this.drawCard(card, "faded", this.builds && seat.edit ? () => this.choose(card) : null, undefined))
    }
    for (let n = 0; n < (seat.hidden ?? 0); n++) thrown.append(this.drawCard("", ""))
    const open = this.builds ? seat.discard_slots - discards.length : 0
    for (let n = 0; n < open; n++) thrown.append(this.drawSlot({kind: "discards", seat: i}, n))
    return thrown
  }

  drawTray() {
    const {tray} = this.data
    const made = element("section", "tray")
    made.setAttribute("aria-label", tray.name ?? "dealt")
    const done = this.keep > 0 && this.placed === this.keep
    const left = this.position.tray.filter(card => !(card in this.position.put))
    const words = done && left.length ? "The rest is discarded. Choose a placed card to take it back." : tray.label
    made.append(element("p", "label", words))
    const row = element("div", "row")
    for (const card of left) {
      row.append(this.drawCard(card, done ? "faded" : "", this.data.disabled ? null : () => this.choose(card)))
    }
    for (let n = this.position.tray.length; n < (this.builds ? tray.slots : 0); n++) {
      row.append(this.drawSlot({kind: "tray"}, n - this.position.tray.length))
    }
    const act = element("div", "act")
    if (this.chosen && this.builds && this.find(this.chosen)) act.append(this.action("off", "Take off", () => this.takeBack(this.chosen)))
    if (this.past.length && !this.data.disabled) act.append(this.action("undo", "Undo", () => this.undo()))
    if (tray.confirm) {
      const confirm = this.action("confirm", tray.confirm, () => this.confirm())
      confirm.className = "main"
      confirm.disabled = Boolean(this.data.disabled) || !done
      act.append(confirm)
    }
    if (act.childElementCount) row.append(act)
    made.append(row)
    return made
  }

  action(key, words, press) {
    const made = this.button("", key, words, press)
    made.textContent = words
    return made
  }

  drawDeck() {
    const {deck} = this.data
    const made = element("section", "deck")
    made.setAttribute("aria-label", deck.name)
    made.append(element("p", "head", deck.name))
    const suits = [...SUITS].map(suit => [...RANKS].map(rank => rank + suit))
    if (deck.jokers) suits.push(Array.from({length: deck.jokers}, (_, n) => `X${n + 1}`))
    for (const cards of suits) {
      const line = element("div", "suit")
      for (const card of cards) {
        const isGone = deck.gone.includes(card) || Boolean(this.find(card))
        const press = this.builds && !isGone ? () => this.choose(card) : null
        line.append(this.drawCard(card, isGone ? "gone" : "", press, isGone ? `${NAMES[card]}, seen` : undefined))
      }
      made.append(line)
    }
    return made
  }
}

export default function({data, parentElement, setStateValue, setTriggerValue}) {
  const home = parentElement
  const host = home.host ?? home
  if (!host.ofclabTable || host.ofclabTable.root.getRootNode() !== home) host.ofclabTable = new Table(home)
  host.ofclabTable.update(data, setStateValue, setTriggerValue)
}
