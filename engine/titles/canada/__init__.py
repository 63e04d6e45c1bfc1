"""1856: destinations and escrow, loans, private powers, and the national railway.

`rules`: policies (shares, track, tokens, trains, market). `state`: what only this title remembers. `round`:
turns and what is charged between decisions. `operating`, `trains`, `powers`, `emergency`, `stock`,
`national_steps`: steps. `loans`, `destinations`, `national`, `events`: what decisions and trains set off.
"""
