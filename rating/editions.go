package rating

// Edition is the newest edition of the anchors.
const Edition = 1

// anchors are how strong the levels were found to be. An edition never changes once
// results name it: whoever measures anew adds another. Each game comes from two ladders,
//
//	copse ladder GAME --players level:1,…,level:8 --seats 2,3,4 --games GAMES --seed anchors
//	copse ladder GAME --players level:6,level:7,level:8,level:9 --seats 2,3,4 --games GAMES --seed anchors
//
// with as many games at each size as stand beside it. The second is laid over the first
// where both know levels 6 to 8. Levels that came out in the wrong order share what they
// have, a few points apart. Level 10 was not measured here, as it thinks for half a
// second a turn: it is taken to be as far above level 9 as levels are apart on average,
// and so is level 9 where the second ladder is missing. With so few games a level may
// be 50 points off.
//
// The stretch makes the levels spread as far at each size as at all sizes on average
// (the geometric mean of their standard deviations).
func anchors() []Anchors {
	return []Anchors{
		{Edition: 1, Game: "bosk", Version: 1, Seats: 2, Measured: 9, Stretch: 0.43, Points: [Levels]float64{1257, 1326, 1391, 1423, 1522, 1537, 1539, 1600, 1677, 1729}},        // 120 games, 72 of levels 6 to 9
		{Edition: 1, Game: "bosk", Version: 1, Seats: 3, Measured: 9, Stretch: 1.17, Points: [Levels]float64{1285, 1323, 1328, 1458, 1463, 1559, 1623, 1632, 1642, 1687}},        // 120 games, 72 of levels 6 to 9
		{Edition: 1, Game: "bosk", Version: 1, Seats: 4, Measured: 9, Stretch: 1.99, Points: [Levels]float64{1212, 1388, 1396, 1404, 1511, 1545, 1553, 1640, 1648, 1703}},        // 120 games, 72 of levels 6 to 9
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 2, Measured: 8, Stretch: 0.5, Points: [Levels]float64{1200, 1279, 1328, 1469, 1487, 1489, 1555, 1665, 1731, 1798}},    // 120 games
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 3, Measured: 8, Stretch: 1.12, Points: [Levels]float64{1215, 1319, 1323, 1411, 1458, 1515, 1520, 1680, 1746, 1812}},   // 120 games
		{Edition: 1, Game: "grandbois", Version: 1, Seats: 4, Measured: 8, Stretch: 1.78, Points: [Levels]float64{1179, 1325, 1376, 1383, 1390, 1590, 1601, 1651, 1719, 1786}},   // 120 games
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 2, Measured: 9, Stretch: 1.0, Points: [Levels]float64{1270, 1287, 1291, 1295, 1427, 1589, 1593, 1697, 1745, 1805}},  // 120 games, 72 of levels 6 to 9
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 3, Measured: 9, Stretch: 0.91, Points: [Levels]float64{1190, 1316, 1336, 1410, 1414, 1496, 1539, 1721, 1754, 1825}}, // 120 games, 72 of levels 6 to 9
		{Edition: 1, Game: "treesociety", Version: 5, Seats: 4, Measured: 9, Stretch: 1.1, Points: [Levels]float64{1156, 1305, 1310, 1447, 1465, 1525, 1543, 1702, 1737, 1810}},  // 120 games, 72 of levels 6 to 9
	}
}
