"""Table 2 of the paper: PHIL and its rivals on citations, biology, syntax trees and roads."""
