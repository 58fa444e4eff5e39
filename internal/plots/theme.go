package plots

import "image/color"

// Theme is the ground that a figure is drawn on.
type Theme uint8

// The themes.
const (
	Light Theme = iota
	Dark
)

// Role is what a mark stands for; the theme gives it a colour.
type Role uint8

// The roles.
const (
	Ink       Role = iota // text
	Muted                 // secondary text
	Grid                  // grid lines
	Frame                 // axes, zero lines
	Paper                 // the ground
	Zone                  // what the margin tolerates
	Baseline              // the first side
	Candidate             // the second side
	Adjusted              // the second side like for like
	Passed                // a gate within its margin
	Failed                // a gate beyond it
	Open                  // a gate that is not decided
	numRoles
)

// roleNames are also the names of the CSS variables of inline figures.
var roleNames = [numRoles]string{
	"ink", "muted", "grid", "frame", "paper", "zone", "baseline", "candidate", "adjusted", "passed", "failed", "open",
}

// String returns the role's name.
func (r Role) String() string { return roleNames[r] }

// The palettes. Sides are grey and blue; the sky blue, bluish green, vermilion
// and reddish purple of Okabe and Ito are darkened on white until thin lines and
// small letters of them can be read.
var palettes = [2][numRoles]color.NRGBA{
	Light: {
		Ink: rgb(0x1f2328), Muted: rgb(0x57606a), Grid: rgb(0xe6e9ed), Frame: rgb(0x8c959f), Paper: rgb(0xffffff), Zone: rgb(0xeaeef2),
		Baseline: rgb(0x6a737d), Candidate: rgb(0x0069a8), Adjusted: rgb(0x9a4c84), Passed: rgb(0x00765a), Failed: rgb(0xbf3b00), Open: rgb(0x855c00),
	},
	Dark: {
		Ink: rgb(0xe6edf3), Muted: rgb(0xa0aab5), Grid: rgb(0x262d36), Frame: rgb(0x77818c), Paper: rgb(0x0f1419), Zone: rgb(0x222a33),
		Baseline: rgb(0xa9b3bd), Candidate: rgb(0x56b4e9), Adjusted: rgb(0xd68bb8), Passed: rgb(0x35c39b), Failed: rgb(0xff8c52), Open: rgb(0xe6a519),
	},
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}
